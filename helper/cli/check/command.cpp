// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/json.hpp"
#include "cli/base/table.hpp"
#include "cli/check/peer.hpp"
#include "cli/check/run.hpp"
#include "cli/command/verbs.hpp"
#include "core/base/number.hpp"
#include "core/base/printable.hpp"

#include <cstdio>
#include <sys/socket.h>

namespace nmib::cli
{

namespace
{
constexpr int exit_slow = 1, exit_step_failed = 4;
constexpr std::size_t longest_name = 253; // RFC 1035

/// The number behind an option; `usual` without the option, nothing where it is none in these limits.
std::optional<unsigned> number_of(const Request &request, const char *option, unsigned least, unsigned most,
                                  unsigned usual)
{
    if (!request.has(option)) return usual;
    const auto number = parse_decimal(request.all(option).front(), most);
    if (!number || *number < least) return {};
    return static_cast<unsigned>(*number);
}

/// Nothing where a value is none.
std::optional<CheckRequest> parse(const Request &request)
{
    CheckRequest r{.peer = request.words.front(), .iperf = !request.has("--no-iperf")};
    if (request.has("-4")) r.family = AF_INET;
    if (request.has("-6")) r.family = AF_INET6;
    const auto seconds = number_of(request, "--time", 1, 3600, r.seconds);
    const auto least = number_of(request, "--at-least", 0, 100, r.least);
    if (!seconds || !least || r.peer.size() > longest_name) return {};
    r.seconds = *seconds, r.least = *least;
    return r;
}

Json json_of(const LinkSeen &link)
{
    if (link.interface.empty()) return {};
    return {{"name", link.interface},
            {"port", or_null(link.port)},
            {"mode", link.mode ? Json(name(*link.mode)) : Json()},
            {"mtu", link.mtu},
            {"data_rate_mbps", or_null(link.data_rate)},
            {"pci_rate_mbps", or_null(link.pci_rate)}};
}
/// For people, a row with what mends it below.
std::string text_of(const CheckStep &step)
{
    const auto row =
        padded(_(word(step.name)), 12) + " " + padded(_(word(step.state)), 8) + " " + seen(step, translate);
    return row + "\n" + (step.mend ? "  => " + mend(step, translate) + "\n" : "");
}

/// With -t, -f or -m: a row for each step.
Result<std::string> table_of(const Options &options, const CheckReport &report)
{
    Rows rows{{"STEP", "RESULT", "SEEN", "MEND"}, {}};
    for (const auto &s : report.steps)
        rows.rows.push_back(
            {std::string(id(s.name)), std::string(id(s.state)), seen(s, translate), mend(s, translate)});
    return table(options, rows);
}

Json json_of(const CheckReport &report)
{
    auto json = json_object();
    json.update({{"peer", report.peer},
                 {"address", report.address},
                 {"interface", json_of(report.link)},
                 {"steps", Json::array()},
                 {"throughput", Json()}});
    for (const auto &s : report.steps)
        json["steps"].push_back(
            {{"step", id(s.name)}, {"result", id(s.state)}, {"seen", seen(s)}, {"mend", or_null(mend(s))}});
    if (const auto &i = report.iperf) json["throughput"] = {{"mbps", i->mbps}, {"segment_size", i->mss}};
    return json;
}

std::optional<Failure> outcome(const CheckReport &report)
{
    switch (report.worst()) {
    case CheckStep::State::failed: return Failure{exit_step_failed, {}};
    case CheckStep::State::warning: return Failure{exit_slow, {}};
    default: return {};
    }
}
} // namespace

std::optional<Failure> check_peer(const Request &words)
{
    const auto request = parse(words);
    if (!request)
        return Failure{exit_usage, _("Error: PEER is a name of at most 253 characters, --time takes 1 to 3600, "
                                     "--at-least takes 0 to 100.")};
    const auto peer = resolve(request->peer, request->family);
    if (!peer) return Failure{exit_not_found, form(_("Error: %s"), peer.error().what.c_str())};
    const auto &o = words.print;
    const bool as_table = o.print == Options::Print::terse || o.fields || o.multiline.value_or(false);
    if (const auto fields = table_of(o, {}); as_table && !fields)
        return Failure{exit_usage, form(_("Error: %s"), fields.error().what.c_str())};
    const bool as_json = words.has("--json");
    const auto report = run_check(*request, *peer, [&](const CheckStep &step) {
        if (as_table || as_json) return;
        print(text_of(step));
        std::fflush(stdout); // the next one may take its time
    });
    if (as_json)
        print_json(json_of(report));
    else if (as_table)
        print(*table_of(o, report));
    return outcome(report);
}

} // namespace nmib::cli
