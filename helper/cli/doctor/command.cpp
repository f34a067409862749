// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/command/command.hpp"
#include "cli/base/process.hpp"
#include "cli/base/table.hpp"
#include "cli/base/words.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/plan/forecast.hpp"
#include "cli/plan/machine.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <unistd.h>

namespace nmib::cli
{

std::string text_of(std::span<const Trouble> all, bool coloured)
{
    constexpr std::size_t indent = 9;
    const std::string blank(indent, ' ');
    std::string s;
    for (const auto &t : all) {
        const auto *colour = t.severity == Trouble::Severity::error ? "\033[31m" : "\033[33m";
        const bool is_grey = !coloured || t.severity == Trouble::Severity::note;
        const auto severity =
            is_grey ? std::string(_(word(t.severity))) : colour + std::string(_(word(t.severity))) + "\033[0m";
        s += folded(padded(severity, indent - 1) + " ", seen(t, translate) + " [" + std::string(t.kind->id) + "]",
                    indent);
        s += folded("", why(t, translate), indent);
        const auto what = advice(t, translate);
        const auto lines = commands(t);
        if (!what.empty()) s += folded(blank + "=> ", what + (lines.empty() ? "" : ":"), indent + 3);
        for (const auto &line : lines) s += blank + (what.empty() ? "=> " : "   ") + nmib::text(line) + "\n";
        if (!t.consequences.empty())
            s += folded(
                "",
                form("interfaces without a carrier because of this problem: {}", printable(join(t.consequences, " "))),
                indent);
    }
    return s;
}

Json json_of(std::span<const Trouble> all)
{
    Json findings = Json::array();
    for (const auto &t : all)
        findings.push_back({{"id", t.kind->id},
                            {"severity", word(t.severity)},
                            {"where", t.where},
                            {"seen", seen(t)},
                            {"why", why(t)},
                            {"mend", mend(t)},
                            {"mended_by", word(mended_by(t))},
                            {"commands", commands(t)},
                            {"consequences", t.consequences}});
    return findings;
}

Status outcome(std::span<const Trouble> all)
{
    constexpr int exit_warnings = 1, exit_errors = 4; // as in nm-ib check
    if (is_healthy(all)) return {};
    return Failure{all.front().severity == Trouble::Severity::error ? exit_errors : exit_warnings, {}};
}

namespace
{
/// Adds the path of the program: nm-ib is this program, the others are the system's.
CommandLine located(CommandLine command)
{
    if (command[0] == "nm-ib") return command[0] = "/proc/self/exe", command;
    for (const std::string place : {"/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"})
        if (::access((place + command[0]).c_str(), X_OK) == 0) {
            command[0] = place + command[0];
            break;
        }
    return command;
}

} // namespace

Result<bool, Failure> mend(std::span<const Trouble> all, const Words &ids, bool yes)
{
    std::vector<CommandLine> commands;
    for (const auto &trouble : all) {
        if (!ids.empty() && std::find(ids.begin(), ids.end(), trouble.kind->id) == ids.end()) continue;
        if (mended_by(trouble) != Trouble::By::fix) continue;
        print(seen(trouble, translate) + " [" + std::string(trouble.kind->id) + "]\n");
        for (auto &command : nmib::commands(trouble)) {
            print("    " + text(command) + "\n");
            if (std::find(commands.begin(), commands.end(), command) == commands.end())
                commands.push_back(std::move(command));
        }
    }
    if (commands.empty()) {
        print(std::string(_("Nothing to fix.")) + "\n");
        return false;
    }
    if (!yes && !can_ask())
        return Failure{exit_usage, _("Error: --fix: no terminal for the question\n"
                                     "To run the commands without a question, add --yes.")};
    if (!yes && !agrees(_("Run these commands?"))) return false;
    for (const auto &command : commands)
        if (const auto run = run_program(located(command)); !run)
            complain(form("Error: {}: {}", printable(command[0]), printable(run.error().what)));
    return true;
}

namespace
{
bool is_known(const std::string &id)
{
    const auto kinds = trouble_kinds();
    return std::any_of(kinds.begin(), kinds.end(), [&](const auto *kind) { return kind->id == id; });
}

Status mistake(const Request &request)
{
    const bool as_json = request.has("--json"), mends = request.has("--fix");
    for (const auto &id : request.all("--fix"))
        if (!is_known(id))
            return Failure{exit_usage, form("Error: unknown finding '{}'\n"
                                            "For a list of the findings, see nm-ib-doctor(7).",
                                            printable(id))};
    if (request.has("--yes") && !mends) return Failure{exit_usage, _("Error: --yes: only with --fix.")};
    if (as_json && mends) return Failure{exit_usage, _("Error: --json: not with --fix.")};
    if (request.has("--merge") && (mends || !request.words.empty()))
        return Failure{exit_usage, _("Error: --merge: only with files, and with no other option than --json.")};
    return {};
}

std::size_t ports_of(const Host &host)
{
    std::size_t n = 0;
    for (const auto &device : host.devices) n += device.ports.size();
    return n;
}

std::string text_of(const Host &host, std::span<const Trouble> all, bool coloured)
{
    auto s = cli::text_of(all, coloured);
    if (all.empty() && !host.has_device)
        s += std::string(host.has_daemon ? _("No RDMA device found, and no profile waits for one.")
                                         : _("No RDMA device found.")) +
             "\n";
    else if (is_healthy(all))
        s += form("No problem found (ports: {}, profiles: {}).", ports_of(host), host.profiles.size()) + "\n";
    if (!host.has_device && !host.container.empty())
        s += form("This is a container ({}): a device of the host is here only if the container was given it.",
                  printable(host.container)) +
             "\n";
    if (!host.has_daemon) s += std::string(_("NetworkManager is not running: profiles were not checked.")) + "\n";
    if (::geteuid() != 0)
        s += std::string(
                 _("Not root: limits, links, subnet managers, the kernel's log, keyfiles and the plugin's version were "
                   "checked only in part.")) +
             "\n";
    return s;
}

Json json_of(const Host &host, std::span<const Trouble> all)
{
    auto json = json_object();
    json["looked_at"] = {{"ports", ports_of(host)},
                         {"profiles", host.profiles.size()},
                         {"root", ::geteuid() == 0},
                         {"networkmanager", host.has_daemon}};
    json["findings"] = cli::json_of(all);
    return json;
}
} // namespace

Status diagnose_machine(const Request &request)
{
    if (auto done = refuse_columns(request); !done) return done;
    if (auto done = mistake(request); !done) return done;
    if (request.has("--merge")) return merge_hosts(request);
    const auto what = request.words.empty() ? "" : request.words.front();
    auto host = look_at_machine(what);
    if (!host) return failure_of(host.error());
    auto all = diagnose(*host);
    if (request.has("--fix")) {
        const auto mended = mend(all, request.all("--fix"), request.has("--yes"));
        if (!mended) return mended.error();
        if (*mended) {
            host = look_at_machine(what);
            if (!host) return failure_of(host.error());
            all = diagnose(*host);
        }
    }
    if (request.has("--json"))
        print_json(json_of(*host, all));
    else
        print(text_of(*host, all, is_coloured(request.print)));
    return outcome(all);
}

} // namespace nmib::cli
