// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/doctor.hpp"

#include "core/base/text.hpp"
#include "terminal/json.hpp"
#include "terminal/process.hpp"
#include "terminal/table.hpp"
#include "terminal/words.hpp"
#include "verbs/doctor/expect.hpp"
#include "verbs/doctor/look.hpp"
#include "verbs/doctor/merge/merge.hpp"
#include "verbs/plan/forecast.hpp"
#include "verbs/plan/machine.hpp"
#include "verbs/port/metrics.hpp"

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
        const auto *colour = t.severity == Severity::error ? "\033[31m" : "\033[33m";
        const bool is_grey = !coloured || t.severity == Severity::note;
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
    return Failure{all.front().severity == Severity::error ? exit_errors : exit_warnings, {}};
}

namespace
{
/// Adds the path of the program: nm-ib is this program, the others are the system's.
CommandLine located(CommandLine command)
{
    const auto path = command[0] == "nm-ib" ? "/proc/self/exe" : find_system_program(command[0]);
    if (!path.empty()) command[0] = path;
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
Status mistake(const Request &request)
{
    const bool mends = request.has("--fix");
    for (const auto &id : request.all("--fix"))
        if (auto known = check_finding(id); !known) return known;
    if (request.has("--yes") && !mends) return Failure{exit_usage, _("Error: --yes: only with --fix.")};
    if (mends + request.has("--json") + request.has("--nagios") + request.has("--metrics") > 1)
        return Failure{exit_usage, _("Error: only one of --fix, --json, --nagios and --metrics.")};
    if (request.has("--expect") && (mends || !request.words.empty()))
        return Failure{exit_usage,
                       _("Error: --expect: not with --fix, and not with a port, an interface or a profile.")};
    if (request.all("--expect") == Words{"now"} && request.options.size() > 1)
        return Failure{exit_usage, _("Error: --expect now: with no other option.")};
    if (request.has("--hosts") && !request.has("--merge"))
        return Failure{exit_usage, _("Error: --hosts: only with --merge.")};
    const auto others = request.options.size() - request.has("--merge") - request.has("--hosts") -
                        request.has("--ignore") - request.has("--json");
    if (request.has("--merge") && (others > 0 || !request.words.empty()))
        return Failure{
            exit_usage,
            _("Error: --merge: only with files, and with no other options than --hosts, --ignore and --json.")};
    return {};
}

std::size_t ports_of(const Host &host)
{
    std::size_t n = 0;
    for (const auto &device : host.devices) n += device.ports.size();
    return n;
}

struct Findings {
    Host host{};
    std::vector<Trouble> all{};
    std::size_t ignored = 0; ///< number
};

std::string text_of(const Findings &found, bool coloured)
{
    const auto &[host, all, ignored] = found;
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
    if (ignored > 0) s += form("Findings left out with --ignore or doctor.ignore: {}", ignored) + "\n";
    if (!host.has_daemon) s += std::string(_("NetworkManager is not running: profiles were not checked.")) + "\n";
    if (!host.naming_error.empty())
        s += form("Names of ports were not checked: {}", printable(host.naming_error)) + "\n";
    if (::geteuid() != 0)
        s += std::string(
                 _("Not root: limits, links, subnet managers, the kernel's log, keyfiles and the plugin's version were "
                   "checked only in part.")) +
             "\n";
    return s;
}

Json json_of(const Findings &found)
{
    const auto &[host, all, ignored] = found;
    auto json = json_object();
    json["looked_at"] = {
        {"ports", ports_of(host)},           {"profiles", host.profiles.size()},   {"root", ::geteuid() == 0},
        {"networkmanager", host.has_daemon}, {"names", host.naming_error.empty()}, {"ignored", ignored}};
    json["findings"] = cli::json_of(all);
    return json;
}
} // namespace

Status print_nagios(int code, std::string text, const std::string &numbers)
{
    constexpr const char *words[] = {"OK", "WARNING", "CRITICAL", "UNKNOWN"};
    std::replace(text.begin(), text.end(), '|', '/'); // begins the numbers
    std::replace(text.begin(), text.end(), '\n', ' ');
    print(std::string("INFINIBAND ") + words[code] + " - " + text + (numbers.empty() ? "" : " | " + numbers) + "\n");
    if (code == 0) return {};
    return Failure{code, {}};
}

namespace
{
Status print_nagios_findings(const Findings &found)
{
    const auto &[host, all, ignored] = found;
    std::size_t errors = 0, warnings = 0;
    for (const auto &t : all) {
        errors += t.severity == Severity::error;
        warnings += t.severity == Severity::warning;
    }
    const auto numbers = "errors=" + std::to_string(errors) + " warnings=" + std::to_string(warnings) +
                         " ports=" + std::to_string(ports_of(host)) + " ignored=" + std::to_string(ignored);
    auto limits = ::geteuid() == 0 ? std::string() : std::string(", ") + _("not root: checked only in part");
    if (!host.has_daemon) limits += std::string(", ") + _("NetworkManager is not running");
    if (!host.naming_error.empty()) limits += std::string(", ") + _("names of ports were not checked");
    if (is_healthy(all))
        return print_nagios(0, form("ports: {}, profiles: {}", ports_of(host), host.profiles.size()) + limits, numbers);
    auto text = seen(all.front(), translate) + " [" + std::string(all.front().kind->id) + "]";
    if (errors + warnings > 1) text += " " + form("(and {} more)", errors + warnings - 1);
    return print_nagios(errors > 0 ? 2 : 1, text + limits, numbers);
}

Metrics metrics_of(const Findings &found)
{
    constexpr Metric number{"doctor_findings", "Number of findings of nm-ib doctor."},
        finding{"doctor_finding", "Number of findings of nm-ib doctor with an id at one place."},
        ignored{"doctor_ignored_findings", "Number of findings that --ignore and doctor.ignore leave out."},
        networkmanager{"doctor_networkmanager_up", "Whether NetworkManager answered."};
    std::map<Severity, std::uint64_t> numbers{{Severity::error, 0}, {Severity::warning, 0}, {Severity::note, 0}};
    Metrics metrics;
    for (const auto &t : found.all) {
        numbers[t.severity]++;
        metrics.add(finding,
                    {{"id", std::string(t.kind->id)},
                     {"severity", word(t.severity)},
                     {"where", t.where.empty() ? t.subject : t.where}},
                    1);
    }
    for (const auto &[severity, n] : numbers) metrics.add(number, {{"severity", word(severity)}}, n);
    metrics.add(ignored, {}, found.ignored);
    metrics.add(networkmanager, {}, found.host.has_daemon);
    return metrics;
}

/// What the command line and the file of ignored findings ask for.
struct Wanted {
    Expectations expected{};
    std::vector<Ignored> ignored{};
};

Result<Wanted, Failure> wanted(const Request &request)
{
    auto expected = parse_expectations(request.all("--expect"));
    if (!expected) return Failure{exit_usage, form("Error: --expect: {}", expected.error().what)};
    auto ignored = read_ignored(request.all("--ignore"));
    if (!ignored) return ignored.error();
    return Wanted{std::move(*expected), std::move(*ignored)};
}

Result<Findings, Failure> look(const std::string &what, const Wanted &wanted)
{
    auto host = look_at_machine(what);
    if (!host) return failure_of(host.error());
    Findings found{std::move(*host), {}};
    found.all = diagnose(found.host);
    const auto more = compare(found.host, wanted.expected);
    found.all.insert(found.all.end(), more.begin(), more.end());
    sort(found.all);
    found.ignored = drop_ignored(found.all, wanted.ignored);
    return found;
}

Status print_expectations()
{
    const auto host = look_at_machine({});
    if (!host) return failure_of(host.error());
    if (!host->has_device) return Failure{exit_failed, std::string("Error: ") + _("No RDMA device found.")};
    print(expectation_file(*host));
    return {};
}

Status diagnose_wanted(const Request &request)
{
    const auto wanted = cli::wanted(request);
    if (!wanted) return wanted.error();
    const auto what = request.words.empty() ? "" : request.words.front();
    auto found = look(what, *wanted);
    if (!found) return found.error();
    if (request.has("--fix")) {
        const auto mended = mend(found->all, request.all("--fix"), request.has("--yes"));
        if (!mended) return mended.error();
        if (*mended) found = look(what, *wanted);
        if (!found) return found.error();
    }
    if (request.has("--nagios")) return print_nagios_findings(*found);
    if (request.has("--json"))
        print_json(json_of(*found));
    else if (request.has("--metrics")) {
        metrics_of(*found).print();
        return {}; // for a unit, findings are no failure
    } else
        print(text_of(*found, is_coloured(request.print)));
    return outcome(found->all);
}
} // namespace

Status diagnose_machine(const Request &request)
{
    if (auto done = refuse_columns(request); !done) return done;
    auto done = mistake(request);
    if (done && request.has("--merge")) return merge_hosts(request);
    if (done && request.all("--expect") == Words{"now"}) return print_expectations();
    if (done) done = diagnose_wanted(request);
    return done;
}

} // namespace nmib::cli
