// SPDX-License-Identifier: LGPL-2.1-or-later
/// host nfs-server rdma [port N]|tcp|default
#include "core/host/nfs_server.hpp"
#include "cli/base/process.hpp"
#include "cli/host/writing.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"
#include "probe/dir.hpp"

namespace nmib::cli
{

namespace
{
/// Nothing where the words are none of these.
std::optional<unsigned> port_of(const Words &words)
{
    if (words[0] == "tcp" && words.size() == 1) return 0;
    if (words[0] != "rdma") return {};
    if (words.size() == 1) return nfs_rdma_port;
    const auto port =
        words.size() == 3 && words[1] == "port" ? parse_decimal(words[2], 65535) : std::optional<std::uint64_t>{};
    if (!port || *port == 0 || *port == 2049) return {}; // 2049 is that of TCP
    return static_cast<unsigned>(*port);
}

Words listeners()
{
    Words all;
    const auto proc = Dir::open("/proc/fs/nfsd");
    const auto text = proc ? proc->read("portlist", 65536) : Result<std::string>(proc.error());
    if (text)
        for (const auto port : rdma_listeners(*text)) all.push_back(std::to_string(port));
    return all;
}
} // namespace

std::optional<Failure> host_nfs_server(const HostRequest &request)
{
    const bool is_default = request.words == Words{"default"};
    const auto port = port_of(request.words);
    if (!port && !is_default)
        return host_refused(form(_("'%s' is not understood: rdma, rdma port N (1 to 65535, not 2049), tcp or default"),
                                 printable(join(request.words, " ")).c_str()));
    HostPlan plan{.noun = "nfs-server", .setting = "nfs-server " + join(request.words, " ")};
    plan.is_default = is_default;
    plan.files.push_back(is_default ? nfs_server_place() : nfs_server_file(*port));
    const auto number = std::to_string(port.value_or(0));
    if (port && *port != 0) {
        plan.notes.push_back(form(_("A firewall has to let in: for iWARP TCP port %s, for RoCE UDP port 4791; for "
                                    "InfiniBand nothing, it passes none"),
                                  number.c_str()));
        plan.notes.push_back(form(
            _("In /etc/fstab of a client: SERVER:/EXPORT /MOUNTPOINT nfs rdma,port=%s,_netdev 0 0"), number.c_str()));
    }
    plan.after = [&](bool changed) -> Result<Words> {
        const auto wanted = port && *port != 0 ? Words{number} : Words{};
        auto now = listeners();
        if (request.now && (changed || now != wanted)) {
            if (auto r = run_program({"/usr/bin/systemctl", "try-restart", "nfs-server.service"}); !r)
                return Error{r.error().kind,
                             form(_("%s; the file is written, and the server not restarted"), r.error().what.c_str())};
            now = listeners();
        }
        if (is_default && !changed) return Words{};
        const auto said = now.empty() ? std::string(_("nothing")) : join(now, ", ");
        if (now == wanted) return Words{form(_("In effect: the server listens for RDMA on: %s"), said.c_str())};
        return Words{form(_("The server listens for RDMA on: %s; until: systemctl restart nfs-server (or --now)"),
                          said.c_str())};
    };
    return carry_out(request, plan);
}

} // namespace nmib::cli
