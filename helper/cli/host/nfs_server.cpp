// SPDX-License-Identifier: LGPL-2.1-or-later
/// host nfs-server [rdma [port N]|tcp|unset]
#include "core/host/nfs_server.hpp"

#include "cli/base/process.hpp"
#include "cli/host/host.hpp"
#include "core/base/text.hpp"
#include "probe/host/nfs_server.hpp"

namespace nmib::cli
{

namespace
{
/// Returns the port, 0 for tcp, or nullopt if the words are invalid.
std::optional<unsigned> port_of(const Words &words)
{
    if (words[0] == "tcp" && words.size() == 1) return 0;
    if (words[0] != "rdma") return {};
    if (words.size() == 1) return nfs_rdma_port;
    const auto port =
        words.size() == 3 && words[1] == "port" ? parse_decimal(words[2], 65535) : std::optional<std::uint64_t>{};
    if (!port || *port == 0 || *port == 2049) return {}; // 2049: NFS over TCP
    return static_cast<unsigned>(*port);
}

NfsServer read_server()
{
    const auto proc = Dir::open("/proc"), etc = Dir::open("/etc");
    return proc && etc ? read_nfs_server(*etc, *proc) : NfsServer{};
}

std::string text_of(const std::vector<unsigned> &ports)
{
    Words all;
    for (const auto port : ports) all.push_back("rdma " + std::to_string(port));
    return join(all, ", ");
}
} // namespace

Status host_nfs_server(const Request &request)
{
    const bool unset = request.words == Words{"unset"};
    const auto port = port_of(request.words);
    if (!port && !unset)
        return refused(form("nfs-server takes rdma, rdma port N (1 to 65535, not 2049), tcp or unset, not '{}'",
                            printable(join(request.words, " "))));
    HostPlan plan{.noun = "nfs-server", .setting = "nfs-server " + join(request.words, " ")};
    plan.files.push_back(nfs_server_file(port));
    if (port && *port != 0) {
        const auto number = std::to_string(*port);
        plan.notes.push_back(
            form("Firewall: open TCP port {} (iWARP) or UDP port 4791 (RoCE). InfiniBand needs no rule.", number));
        plan.notes.push_back(form("In /etc/fstab of a client:\n"
                                  "  SERVER:/EXPORT /MOUNTPOINT nfs rdma,port={},_netdev 0 0",
                                  number));
    }
    plan.after = [&](bool) -> Result<Words> {
        auto server = read_server();
        if (request.has("--now") && server.runs && server.listeners != server.wanted) {
            if (auto r = run_program({"/usr/bin/systemctl", "try-restart", "nfs-server.service"}); !r)
                return Error{r.error().kind,
                             form("{}; the file is written, and the server not restarted", r.error().what)};
            server = read_server();
        }
        Words notes;
        const auto wanted = port && *port != 0 ? std::vector{*port} : std::vector<unsigned>{};
        if (port && server.wanted != wanted && !server.files.empty())
            notes.push_back(form("{} is read later and overrides it", printable(server.files.back().path)));
        if (!server.runs)
            notes.emplace_back(_("The NFS server is not running; the server reads the setting when it starts"));
        else if (server.listeners == server.wanted)
            notes.push_back(server.listeners.empty()
                                ? std::string(_("In effect: the NFS server does not listen for RDMA"))
                                : form("In effect: the NFS server listens on: {}", text_of(server.listeners)));
        else
            notes.emplace_back(_("To apply the setting (or use --now):\n"
                                 "  systemctl restart nfs-server"));
        return notes;
    };
    return carry_out(request, plan);
}

void add_nfs_server_rows(HostRows &rows)
{
    const auto server = read_server();
    const auto effect = text_of(server.listeners);
    for (const auto &file : server.files) {
        HostRow row{"nfs-server", file.words, file.path, effect, {}, file.ours};
        const auto &last = server.files.back();
        if (file.ours && &file != &last)
            row.needs = form("{} is read later and overrides it", last.path);
        else if (&file == &last && server.runs && server.listeners != server.wanted)
            row.commands = {{"systemctl", "restart", "nfs-server"}};
        else if (&file == &last && server.runs && server.name_unknown)
            row.commands = {{"nm-ib", "host", "nfs-server", "rdma", "--now"}};
        rows.push_back(std::move(row));
    }
    if (server.files.empty() && !effect.empty()) rows.push_back({"nfs-server", {}, {}, effect, {}, false});
}

} // namespace nmib::cli
