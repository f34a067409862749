// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/check/run.hpp"

#include "cli/base/process.hpp"
#include "cli/check/output.hpp"
#include "cli/check/peer.hpp"
#include "core/base/printable.hpp"
#include "probe/check/route.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace nmib::cli
{

namespace
{
using Name = CheckStep::Name;
using State = CheckStep::State;
using namespace std::chrono_literals;

constexpr auto neighbour_limit = 6s; // ARP asks three times, a second apart
constexpr Mtu ping_most = 65507;     // what ping itself takes

/// Those that are met: 4096 and 2048 in datagram mode, Ethernet's, and the least of IPv6.
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
        return run ? parse_ping(run->out, run->err) : PingSeen{.said = run.error().what};
    }
    Mtu largest_below(Mtu mtu) const
    {
        for (const auto size : common_mtus)
            if (size < mtu && !send(2, 1, size).answers.empty()) return size;
        return ping_headers(six) + 56; // what ping sends if no size is given
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
    /// Whether it makes sense to go on.
    bool add(CheckStep step)
    {
        each_(step);
        report_.steps.push_back(std::move(step));
        return report_.steps.back().state != State::failed;
    }
    bool route()
    {
        auto route = read_route(peer_);
        if (route && !route->local) {
            auto link = look_at_link(route->ifindex);
            if (link)
                report_.link = std::move(*link);
            else
                route = Result<RouteSeen>(link.error());
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
        if (small.state == State::failed || small.state == State::skipped) return small.state != State::failed;
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
                    .state = State::skipped,
                    .seen = N_("iperf3 measured nothing: {value}"),
                    .mend = N_("To measure it, start there: iperf3 -s (TCP port 5201)"),
                    .value = seen.error().what});
    }

    const CheckRequest &request_;
    const IpAddress peer_;
    const std::function<void(const CheckStep &)> &each_;
    CheckReport report_;
    RouteSeen route_{};
};
} // namespace

State CheckReport::worst() const noexcept
{
    auto worst = State::passed;
    for (const auto &step : steps) worst = std::max(worst, step.state);
    return worst;
}

CheckReport run_check(const CheckRequest &request, const IpAddress &peer,
                      const std::function<void(const CheckStep &)> &each)
{
    return Check(request, peer, each).run();
}

} // namespace nmib::cli
