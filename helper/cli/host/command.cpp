// SPDX-License-Identifier: LGPL-2.1-or-later
/// host [memlock | nfs-server | modules | opensm] ...
#include "cli/host/command.hpp"

#include "cli/base/json.hpp"
#include "cli/base/table.hpp"
#include "cli/verb/verbs.hpp"
#include "core/printable.hpp"
#include "core/translate.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr HostCommand commands[] = {
    {"list", false, nullptr, nullptr, N_("Usage: nm-ib host [list] [--json]")},
    {"memlock", false, host_memlock, add_memlock_rows,
     N_("Usage: nm-ib host memlock [@GROUP|USER|UNIT unlimited|SIZE|unset] [--force] [--dry-run] [--json]")},
    {"nfs-server", true, host_nfs_server, add_nfs_server_rows,
     N_("Usage: nm-ib host nfs-server [rdma [port N]|tcp|unset] [--now] [--force] [--dry-run] [--json]")},
    {"modules", false, host_modules, add_module_rows,
     N_("Usage: nm-ib host modules [auto] [MODULE...]|unset [--force] [--dry-run] [--json]")},
    {"opensm", false, host_opensm, add_opensm_rows,
     N_("Usage: nm-ib host opensm [GUID...|unset] [--force] [--dry-run] [--json]")},
};

const char *general_usage()
{
    return _("Usage: nm-ib host [memlock | nfs-server | modules | opensm] [WORD...] [--dry-run] [--json]\n"
             "\n"
             "  memlock     how much memory a group, a user or a service may lock\n"
             "  nfs-server  whether the NFS server listens for RDMA\n"
             "  modules     the kernel modules that this machine's cards need from the boot on\n"
             "  opensm      the ports on which a subnet manager runs\n"
             "\n"
             "A noun alone shows what is set by which program, what is in effect, and what is to be done.\n"
             "With words it writes a file of its own; 'unset' removes the file. nm-ib-host(1) has more.");
}

std::optional<Failure> show(const HostRequest &request, AddHostRows *only)
{
    HostRows rows;
    for (const auto &c : commands)
        if (c.rows && (!only || c.rows == only)) c.rows(rows);
    if (request.json) {
        auto json = json_object();
        json["changed"] = false;
        json["settings"] = Json::array();
        for (const auto &r : rows)
            json["settings"].push_back({{"noun", r.noun},
                                        {"setting", or_null(r.setting)},
                                        {"file", or_null(r.file)},
                                        {"by_nm_ib", r.ours},
                                        {"in_effect", or_null(r.effect)},
                                        {"needs", or_null(r.needs)}});
        print_json(json);
        return {};
    }
    Rows shown{.titles = {"NOUN", "SETTING", "FILE", "BY-NM-IB", "IN-EFFECT", "NEEDS"}};
    for (const auto &r : rows)
        shown.rows.push_back({r.noun, printable(r.setting), printable(r.file), r.ours ? _("yes") : _("no"),
                              printable(r.effect), printable(r.needs)});
    const auto text = table(request.print, shown);
    if (!text) return host_refused(text.error().what);
    print(*text);
    return {};
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
    const bool is_list = !command->noun;
    while (!in.args.empty()) {
        auto next = in.args.take();
        if (next == "--json")
            request.json = true;
        else if (next == "--dry-run" && !is_list)
            request.dry_run = true;
        else if (next == "--force" && !is_list)
            request.force = true;
        else if (next == "--now" && command->has_now)
            request.now = true;
        else if (next.starts_with('-') || next.empty())
            return host_refused(form(_("'%s' is no option of nm-ib host %s. %s"), printable(next).c_str(),
                                     command->word, _(command->usage)));
        else
            request.words.push_back(std::move(next));
    }
    if (request.words.empty() && !request.dry_run && !request.now && !request.force)
        return show(request, command->rows);
    if (request.words.empty() || is_list) return Failure{exit_usage, _(command->usage)};
    return command->noun(request);
}

} // namespace nmib::cli
