// SPDX-License-Identifier: LGPL-2.1-or-later
/// host [memlock | nfs-server | modules | opensm] ...
#include "cli/host/command.hpp"

#include "cli/host/writing.hpp"
#include "cli/verb/verbs.hpp"
#include "core/printable.hpp"
#include "core/translate.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr std::size_t any = 1024;
constexpr HostCommand commands[] = {
    {"list", 0, 0, false, list_host, N_("Usage: nm-ib host [list] [--json]")},
    {"memlock", 2, 2, false, host_memlock,
     N_("Usage: nm-ib host memlock @GROUP|USER|UNIT unlimited|SIZE|default [--dry-run] [--json]")},
    {"nfs-server", 1, 3, true, host_nfs_server,
     N_("Usage: nm-ib host nfs-server rdma [port N]|tcp|default [--now] [--dry-run] [--json]")},
    {"modules", 0, any, false, host_modules, N_("Usage: nm-ib host modules [MODULE...|default] [--dry-run] [--json]")},
    {"opensm", 1, any, false, host_opensm,
     N_("Usage: nm-ib host opensm GUID... [priority N]|default [--dry-run] [--json]")},
};

const char *general_usage()
{
    return _("Usage: nm-ib host [list | memlock | nfs-server | modules | opensm] [WORD...] [--dry-run] [--json]\n"
             "\n"
             "  list        what is set by whom, what is in effect, what needs a restart\n"
             "  memlock     how much memory a group, a user or a service may lock\n"
             "  nfs-server  whether the NFS server listens for RDMA\n"
             "  modules     the kernel modules that this machine's cards need from the boot on\n"
             "  opensm      the ports on which a subnet manager runs\n"
             "\n"
             "Each writes a file of its own; 'default' removes it. nm-ib-host(1) has more.");
}
} // namespace

std::span<const HostCommand> host_commands() noexcept { return commands; }

const HostCommand *find_host_command(const std::string &word) noexcept
{
    const auto found = std::find_if(std::begin(commands), std::end(commands),
                                    [&](const HostCommand &c) { return begins(word, c.word); });
    return found == std::end(commands) ? nullptr : found;
}

std::optional<Failure> set_host(Invocation &in)
{
    auto word = in.args.empty() || in.args.front().starts_with("--") ? std::string("list") : in.args.take();
    if (is_help(word) || (word == "list" && !in.args.empty() && is_help(in.args.front()))) {
        print(std::string(general_usage()) + "\n");
        return {};
    }
    const auto *command = find_host_command(word);
    if (!command)
        return host_refused(
            form(_("'host' has no '%s'. To see what there is: nm-ib host help"), printable(word).c_str()));
    if (!in.args.empty() && is_help(in.args.front())) {
        print(std::string(_(command->usage)) + "\n");
        return {};
    }
    HostRequest request{.print = in.options};
    const bool is_list = command->most == 0;
    while (!in.args.empty()) {
        auto next = in.args.take();
        if (next == "--json")
            request.json = true;
        else if (next == "--dry-run" && !is_list)
            request.dry_run = true;
        else if (next == "--now" && command->has_now)
            request.now = true;
        else if (next.starts_with('-') || next.empty())
            return host_refused(form(_("'%s' is no option of nm-ib host %s. %s"), printable(next).c_str(),
                                     command->word, _(command->usage)));
        else
            request.words.push_back(std::move(next));
    }
    if (request.words.size() < command->least || request.words.size() > command->most)
        return Failure{exit_usage, _(command->usage)};
    return command->noun(request);
}

} // namespace nmib::cli
