// SPDX-License-Identifier: LGPL-2.1-or-later
// nm-ib check: the result of each step, and the causes of a low throughput.
#include "core/check/step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using State = CheckStep::State;

/// A QDR port in datagram mode with MTU 2044, on a PCI link that is fast enough.
LinkSeen link_seen()
{
    LinkSeen link{.interface = "ib0", .port = "mlx4_0/1", .up = true, .carrier = true, .mtu = 2044};
    link.mode = TransportMode::datagram;
    link.data_rate = 32000;
    link.pci_rate = 63015;
    return link;
}

IperfSeen iperf_seen() { return {.mbps = 20000, .mss = 1992}; }

PingSeen pings(unsigned sent, std::vector<PingSeen::Answer> answers)
{
    PingSeen p;
    p.sent = sent;
    p.answers = std::move(answers);
    return p;
}

PortRate rate(const char *text) { return *PortRate::parse(text); }

TEST(Rate, DataRateOfAPortIsParsed)
{
    const auto ib = LinkLayer::infiniband;
    EXPECT_EQ(data_rate(rate("40 Gb/sec (4X QDR)"), ib), 32000U);
    EXPECT_EQ(data_rate(rate("2.5 Gb/sec (1X)"), ib), 2000U);
    EXPECT_EQ(data_rate(rate("40 Gb/sec (4X FDR10)"), ib), 40000U);
    EXPECT_EQ(data_rate(rate("56 Gb/sec (4X FDR)"), ib), 54303U);
    EXPECT_EQ(data_rate(rate("100 Gb/sec (4X EDR)"), ib), 100000U);
    EXPECT_EQ(data_rate(rate("10 Gb/sec (1X QDR)"), LinkLayer::roce), 10000U);
}

TEST(Rate, TextHasAUnit)
{
    EXPECT_EQ(rate_text(0), "0 Mbit/s");
    EXPECT_EQ(rate_text(999), "999 Mbit/s");
    EXPECT_EQ(rate_text(15370), "15.3 Gbit/s");
    EXPECT_EQ(rate_text(32000), "32 Gbit/s");
}

TEST(CheckStep, RouteFailsOverAnInterfaceThatIsNoPort)
{
    const RouteSeen route{.ifindex = 4};
    auto step = judge_route("192.0.2.2", route, link_seen());
    EXPECT_EQ(step.state, State::passed);
    EXPECT_EQ(seen(step), "over ib0 (mlx4_0/1, datagram, MTU 2044)");
    EXPECT_EQ(mend(step), "");
    LinkSeen ethernet{.interface = "eth0", .up = true, .carrier = true, .mtu = 1500};
    step = judge_route("192.0.2.2", route, ethernet);
    EXPECT_EQ(step.state, State::failed);
    EXPECT_THAT(seen(step), HasSubstr("uses eth0, which is not an interface"));
    EXPECT_THAT(seen(judge_route("192.0.2.2", RouteSeen{.local = true, .ifindex = 1}, {})), HasSubstr("itself"));
    EXPECT_EQ(judge_route("224.0.0.1", RouteSeen{.single = false, .ifindex = 4}, link_seen()).state, State::failed);
    EXPECT_THAT(seen(judge_route("192.0.2.2", sys_error(101, "route"), {})),
                HasSubstr("route: Network is unreachable"));
}

TEST(CheckStep, CarrierFailsWithoutACarrier)
{
    auto link = link_seen();
    EXPECT_EQ(judge_carrier(link).state, State::passed);
    link.carrier = false;
    EXPECT_EQ(judge_carrier(link).state, State::failed);
    EXPECT_THAT(mend(judge_carrier(link)), HasSubstr("nm-ib doctor ib0"));
    link.up = false;
    EXPECT_EQ(seen(judge_carrier(link)), "ib0 is down");
}

TEST(CheckStep, NeighbourFailsWithoutAnAnswer)
{
    const auto judge = [](Result<NeighbourState> s) { return judge_neighbour("192.0.2.2", link_seen(), s).state; };
    EXPECT_EQ(judge(NeighbourState::known), State::passed);
    for (const auto state : {NeighbourState::none, NeighbourState::incomplete, NeighbourState::failed})
        EXPECT_EQ(judge(state), State::failed);
    EXPECT_EQ(judge(Error{Error::Kind::io, "?"}), State::skipped);
}

TEST(CheckStep, FirstPingIsIgnored)
{
    auto step = judge_ping("p", pings(5, {{1, 39}, {2, 0.8}, {3, 0.8}, {4, 0.8}, {5, 0.8}}));
    EXPECT_EQ(step.state, State::passed);
    EXPECT_EQ(seen(step), "4/4 answered, 0.80 ms on average");
    EXPECT_EQ(judge_ping("p", pings(5, {{2, 1}, {3, 1}, {4, 1}, {5, 1}})).state, State::passed);
    EXPECT_EQ(judge_ping("p", pings(5, {{1, 1}, {2, 1}, {3, 1}, {4, 1}})).state, State::warning);
    EXPECT_EQ(judge_ping("p", pings(5, {{1, 1}})).state, State::failed);
    EXPECT_EQ(judge_ping("p", pings(5, {})).state, State::failed);
}

TEST(CheckStep, PingThatDoesNotRunIsSkipped)
{
    const auto step = judge_ping("p", PingSeen{.error_line = "ping: \033[1m"});
    EXPECT_EQ(step.state, State::skipped);
    EXPECT_EQ(seen(step), "ping failed: ping: \\x1b[1m");
    EXPECT_EQ(judge_ping("p", pings(0, {})).state, State::skipped);
}

TEST(CheckStep, LargePingNamesTheSizeThatPasses)
{
    EXPECT_EQ(judge_large_ping("p", link_seen(), 2044, pings(3, {{2, 1}}), 2044).state, State::passed);
    auto step = judge_large_ping("p", link_seen(), 4092, pings(3, {}), 2044);
    EXPECT_EQ(step.state, State::failed);
    EXPECT_EQ(seen(step), "packets of 4092 bytes are not answered, packets of 2044 bytes are");
    EXPECT_THAT(mend(step), HasSubstr("p, the route to it or a device on the way has a smaller MTU than ib0."));
    EXPECT_EQ(judge_large_ping("p", link_seen(), 2044, PingSeen{.error_line = "usage"}, 2044).state, State::skipped);
}

TEST(CheckStep, ThroughputIsComparedWithTheDataRate)
{
    auto link = link_seen();
    auto iperf = iperf_seen();
    auto step = judge_throughput(link, iperf, 50);
    EXPECT_EQ(step.state, State::passed);
    EXPECT_EQ(seen(step), "20 Gbit/s, 62 % of 32 Gbit/s, the data rate of mlx4_0/1");
    iperf.mbps = 169;
    step = judge_throughput(link, iperf, 50);
    EXPECT_EQ(step.state, State::warning);
    EXPECT_EQ(seen(step), "169 Mbit/s, 0.5 % of 32 Gbit/s, the data rate of mlx4_0/1");
    EXPECT_EQ(judge_throughput(link, iperf, 0).state, State::passed);
    link.pci_rate = 16000;
    EXPECT_THAT(seen(judge_throughput(link, iperf, 50)), HasSubstr("of 16 Gbit/s, which the PCI link"));
    link.pci_rate.reset();
    link.data_rate.reset();
    EXPECT_EQ(judge_throughput(link, iperf, 50).state, State::passed); // the capacity is unknown
}

TEST(CheckStep, SlowThroughputNamesTheLikelyCauses)
{
    const auto step = judge_throughput(link_seen(), iperf_seen(), 100);
    EXPECT_THAT(mend(step), HasSubstr("the most likely cause first: mode and MTU of both ends"));
    EXPECT_EQ(mend(judge_throughput(link_seen(), iperf_seen(), 0)), "");
    const auto stalled = judge_throughput(link_seen(), {}, 0);
    EXPECT_EQ(stalled.state, State::failed);
    EXPECT_EQ(mend(stalled), mend(step));
}

} // namespace
} // namespace nmib
