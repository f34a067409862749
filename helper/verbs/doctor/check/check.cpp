// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/check/check.hpp"

#include "core/base/text.hpp"
#include "probe/check/route.hpp"
#include "terminal/json.hpp"
#include "terminal/process.hpp"
#include "terminal/table.hpp"
#include "verbs/doctor/check/output.hpp"
#include "verbs/doctor/check/peer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sys/socket.h>
#include <thread>

namespace nmib::cli
{

namespace
{
using Name = CheckStep::Name;
using StepState = CheckStep::State;
using namespace std::chrono_literals;

constexpr auto neighbour_limit = 6s; // ARP sends three requests, one second apart
constexpr Mtu ping_most = 65507;     // bytes; ping's own limit

/// IPoIB datagram mode with an InfiniBand MTU of 4096 and 2048, Ethernet, and the minimum of IPv6.
constexpr Mtu common_mtus[] = {4092, 2044, 1500, 1280};

struct Pings {
    std::string program, peer;
    bool six;

    PingSeen send(int count, int wait, Mtu size = 0) const
    {
        Words words{program, "-n", "-c", std::to_string(count), "-i", "0.2", "-W", std::to_string(wait)};
        if (size) {
            const auto payload = std::min(size - std::min(size, ping_headers(six)), ping_most);
            for (auto word : {std::string("-M"), std::string("do"), std::string("-s"), std::to_string(payload)})
                words.push_back(std::move(word));
        }
        words.push_back(peer);
        const auto run = run_for(words, count + wait + 10);
        return run ? parse_ping(run->out, run->err) : PingSeen{.error_line = run.error().what};
    }
    Mtu largest_below(Mtu mtu) const
    {
        for (const auto size : common_mtus)
            if (size < mtu && !send(2, 1, size).answers.empty()) return size;
        return ping_headers(six) + 56; // ping's default payload
    }
};

Result<NeighbourState> wait_for_neighbour(const IpAddress &peer, const IpAddress &hop, int ifindex)
{
    stir(peer);
    const auto end = std::chrono::steady_clock::now() + neighbour_limit;
    for (;;) {
        auto state = read_neighbour(hop, ifindex);
        if (!state || *state == NeighbourState::known || *state == NeighbourState::failed ||
            std::chrono::steady_clock::now() > end)
            return state;
        std::this_thread::sleep_for(50ms);
    }
}

class Check
{
public:
    Check(const CheckRequest &request, const IpAddress &peer, const std::function<void(const CheckStep &)> &each) :
        request_(request), peer_(peer), each_(each), report_{.peer = request.peer, .address = text_of(peer)}
    {
    }
    CheckReport run()
    {
        (void)(route() && carrier() && neighbour() && pings() && throughput());
        return std::move(report_);
    }

private:
    /// Returns false if the step failed: then later steps are useless.
    bool add(CheckStep step)
    {
        each_(step);
        report_.steps.push_back(std::move(step));
        return report_.steps.back().state != StepState::failed;
    }
    bool route()
    {
        auto route = read_route(peer_);
        if (route && !route->local) {
            auto link = look_at_link(route->ifindex);
            if (link)
                report_.link = std::move(*link);
            else
                route = link.error();
        }
        if (route) route_ = *route;
        return add(judge_route(report_.address, route, report_.link));
    }
    bool carrier() { return add(judge_carrier(report_.link)); }
    bool neighbour()
    {
        const auto hop = route_.gateway.value_or(peer_);
        return add(judge_neighbour(text_of(hop), report_.link, wait_for_neighbour(peer_, hop, route_.ifindex)));
    }
    bool pings()
    {
        const Pings ping{find_program("ping"), report_.address, peer_.six};
        if (ping.program.empty())
            return add(missing_program(Name::ping, "ping", "iputils-ping (Debian), iputils (RHEL)"));
        const auto &small = report_.steps.emplace_back(judge_ping(report_.address, ping.send(5, 2)));
        each_(small);
        if (small.state == StepState::failed || small.state == StepState::skipped)
            return small.state != StepState::failed;
        const auto mtu = report_.link.mtu;
        const auto large = ping.send(3, 2, mtu);
        const auto passes = large.sent && large.answers.empty() ? ping.largest_below(mtu) : mtu;
        return add(judge_large_ping(report_.address, report_.link, mtu, large, passes));
    }
    bool throughput()
    {
        if (!request_.iperf) return true;
        const auto program = find_program("iperf3");
        if (program.empty()) return add(missing_program(Name::throughput, "iperf3", "iperf3"));
        const auto time = static_cast<int>(request_.seconds);
        const auto run = run_for(
            {program, "-c", report_.address, "-J", "-t", std::to_string(time), "--connect-timeout", "3000"}, time + 15);
        if (run && run->late) return add(judge_throughput(report_.link, {}, request_.least));
        const auto seen = parse_iperf(run ? run->out : "");
        if (seen) {
            report_.iperf = *seen;
            return add(judge_throughput(report_.link, *seen, request_.least));
        }
        return add({.name = Name::throughput,
                    .state = StepState::skipped,
                    .seen = N_("iperf3 failed: {value}"),
                    .mend = N_("On the peer, with TCP port 5201 open, run: iperf3 -s"),
                    .value = seen.error().what});
    }

    const CheckRequest &request_;
    const IpAddress peer_;
    const std::function<void(const CheckStep &)> &each_;
    CheckReport report_;
    RouteSeen route_{};
};
} // namespace

StepState CheckReport::worst() const noexcept
{
    auto worst = StepState::passed;
    for (const auto &step : steps) worst = std::max(worst, step.state);
    return worst;
}

CheckReport run_check(const CheckRequest &request, const IpAddress &peer,
                      const std::function<void(const CheckStep &)> &each)
{
    return Check(request, peer, each).run();
}

namespace
{
constexpr int exit_slow = 1, exit_step_failed = 4;
constexpr std::size_t longest_name = 253; // RFC 1035

/// Returns the number of an option; `usual` without the option, nullopt if out of range.
std::optional<unsigned> number_of(const Request &request, const char *option, unsigned least, unsigned most,
                                  unsigned usual)
{
    if (!request.has(option)) return usual;
    const auto number = parse_decimal(request.all(option).front(), most);
    if (!number || *number < least) return {};
    return static_cast<unsigned>(*number);
}

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

Status status_of(const CheckReport &report)
{
    switch (report.worst()) {
    case CheckStep::State::failed: return Failure{exit_step_failed, {}};
    case CheckStep::State::warning: return Failure{exit_slow, {}};
    default: return {};
    }
}
} // namespace

Status check_peer(const Request &words)
{
    const auto request = parse(words);
    if (!request)
        return Failure{exit_usage, _("Error: PEER is a name of at most 253 characters, --time takes 1 to 3600, "
                                     "--at-least takes 0 to 100.")};
    const auto peer = resolve(request->peer, request->family);
    if (!peer) return failed(peer.error().what, exit_not_found);
    const auto &o = words.print;
    const bool as_table = o.print == Options::Print::terse || o.fields || o.multiline.value_or(false);
    if (const auto fields = table_of(o, {}); as_table && !fields) return refused(fields.error().what);
    const bool as_json = words.has("--json");
    const auto report = run_check(*request, *peer, [&](const CheckStep &step) {
        if (as_table || as_json) return;
        print(text_of(step));
        std::fflush(stdout); // the next step may take seconds
    });
    if (as_json)
        print_json(json_of(report));
    else if (as_table)
        print(*table_of(o, report));
    return status_of(report);
}

} // namespace nmib::cli
