// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/check/step.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"
#include "core/ib/link.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
constexpr unsigned part(unsigned whole, unsigned of, unsigned in) noexcept
{
    return static_cast<unsigned>(std::uint64_t{whole} * of / in);
}
} // namespace

unsigned data_rate(const PortRate &rate, LinkLayer layer) noexcept
{
    if (layer != LinkLayer::infiniband) return rate.mbps;
    const auto speed = PortLink::parse(rate.lanes).value_or(PortLink{}).speed;
    if (speed == LaneSpeed::sdr || speed == LaneSpeed::ddr || speed == LaneSpeed::qdr) return part(rate.mbps, 8, 10);
    return speed == LaneSpeed::fdr ? part(rate.mbps, 64, 66) : rate.mbps;
}

std::string rate_text(unsigned mbps)
{
    if (mbps < 1000) return message(untranslated, "{} Mbit/s", mbps);
    const auto tenths = mbps % 1000 / 100;
    return tenths ? message(untranslated, "{}.{} Gbit/s", mbps / 1000, tenths)
                  : message(untranslated, "{} Gbit/s", mbps / 1000);
}

namespace
{
using Name = CheckStep::Name;
using State = CheckStep::State;

std::string filled(const char *text, const CheckStep &s, Translate translate)
{
    return message(translate, text, fmt::arg("where", printable(s.where)), fmt::arg("peer", printable(s.peer)),
                   fmt::arg("subject", printable(s.subject)), fmt::arg("value", printable(s.value)));
}

/// "mlx4_0/1, datagram, MTU 2044"
std::string described(const LinkSeen &link)
{
    const auto mode = link.mode ? message(untranslated, ", {}", name(*link.mode)) : "";
    return message(untranslated, "{}{}, MTU {}", link.port, mode, link.mtu);
}

CheckStep failed_route(const std::string &peer, const Result<RouteSeen> &route, const LinkSeen &link)
{
    CheckStep s{.name = Name::route, .state = State::failed, .where = link.interface, .peer = peer};
    if (!route) {
        s.value = route.error().what;
        s.seen = N_("no route to {peer}: {value}");
        s.mend = N_("Give the IPoIB interface an address in the peer's IP subnet, or add a route "
                    "to the peer. To see routes and interfaces: ip route get {peer}; nm-ib port");
    } else if (route->local) {
        s.seen = N_("{peer} is an address of this machine itself");
        s.mend = N_("Run nm-ib check with an address of the other machine");
    } else if (!route->single) {
        s.seen = N_("{peer} is not the address of one machine");
        s.mend = N_("Run nm-ib check with an address of the other machine");
    } else {
        s.seen = N_("the route to {peer} uses {where}, which is not an interface of a port of an RDMA device");
        s.mend = N_("Use the peer's address on the InfiniBand network, or add a route. To see "
                    "routes and interfaces: ip route get {peer}; nm-ib port");
    }
    return s;
}

CheckStep not_run(CheckStep s, const PingSeen &ping)
{
    s.state = State::skipped;
    s.value = ping.error_line;
    s.seen = N_("ping failed: {value}");
    return s;
}
} // namespace

std::string_view id(Name name) noexcept
{
    constexpr std::string_view ids[] = {"route", "carrier", "neighbour", "ping", "large-ping", "throughput"};
    return ids[static_cast<std::size_t>(name)];
}

std::string_view id(State state) noexcept
{
    constexpr std::string_view ids[] = {"ok", "skipped", "warning", "failed"};
    return ids[static_cast<std::size_t>(state)];
}

const char *word(Name name) noexcept
{
    constexpr const char *words[] = {N_("route"), N_("carrier"),    N_("neighbour"),
                                     N_("ping"),  N_("large-ping"), N_("throughput")};
    return words[static_cast<std::size_t>(name)];
}

const char *word(State state) noexcept
{
    constexpr const char *words[] = {N_("ok"), N_("skipped"), N_("warning"), N_("failed")};
    return words[static_cast<std::size_t>(state)];
}

std::string seen(const CheckStep &step, Translate translate) { return filled(step.seen, step, translate); }

std::string mend(const CheckStep &step, Translate translate)
{
    return step.mend ? filled(step.mend, step, translate) : std::string();
}

CheckStep judge_route(const std::string &peer, const Result<RouteSeen> &route, const LinkSeen &link)
{
    if (!route || route->local || !route->single || link.port.empty()) return failed_route(peer, route, link);
    return {.name = Name::route,
            .seen = N_("over {where} ({value})"),
            .where = link.interface,
            .peer = peer,
            .value = described(link)};
}

CheckStep judge_carrier(const LinkSeen &link)
{
    CheckStep s{.name = Name::carrier, .seen = N_("{where} has a carrier"), .where = link.interface};
    if (link.up && link.carrier) return s;
    s.state = State::failed;
    s.seen = link.up ? N_("{where} has no carrier") : N_("{where} is down");
    s.mend = link.up ? N_("To see the cause and the remedy: nm-ib doctor {where}")
                     : N_("nm-ib connection up PROFILE, or: ip link set {where} up");
    return s;
}

CheckStep judge_neighbour(const std::string &next_hop, const LinkSeen &link, const Result<NeighbourState> &state)
{
    CheckStep s{.name = Name::neighbour, .where = link.interface, .peer = next_hop};
    if (!state) {
        s.state = State::skipped;
        s.value = state.error().what;
        s.seen = N_("the entry of {peer} cannot be read: {value}");
    } else if (*state == NeighbourState::known) {
        s.seen = N_("the link-layer address of {peer} is known");
    } else {
        s.state = State::failed;
        s.seen = N_("no machine on the network of {where} answers for {peer}");
        s.mend = N_("On the other machine, check the address, and check the port with nm-ib "
                    "doctor. Both ports need the same partition (P_Key), and one of them must be a full member");
    }
    return s;
}

CheckStep judge_ping(const std::string &peer, const PingSeen &ping)
{
    CheckStep s{.name = Name::ping, .peer = peer};
    if (!ping.sent || *ping.sent == 0) return not_run(std::move(s), ping);
    double sum = 0;
    unsigned counted = 0;
    for (const auto &a : ping.answers)
        if (a.sequence > 1) {
            sum += a.ms;
            counted++;
        }
    const unsigned expected = *ping.sent - 1;
    s.subject = message(untranslated, "{}/{}", counted, expected);
    if (counted == 0) {
        s.state = State::failed;
        s.seen = N_("{peer} does not answer");
        s.mend = N_("On the other machine, check the firewall (ICMP), the route back and, with "
                    "several interfaces, rp_filter");
        return s;
    }
    s.value = message(untranslated, "{:.2f}", sum / counted);
    s.seen = N_("{subject} answered, {value} ms on average");
    if (counted >= expected) return s;
    s.state = State::warning;
    s.mend = N_("Packets get lost. Errors of the link: perfquery -x, ibqueryerrors; of the interface: ip -s link");
    return s;
}

CheckStep judge_large_ping(const std::string &peer, const LinkSeen &link, Mtu mtu, const PingSeen &ping, Mtu passes)
{
    CheckStep s{.name = Name::large_ping, .where = link.interface, .peer = peer, .subject = std::to_string(mtu)};
    if (!ping.answers.empty()) {
        s.seen = N_("packets of {subject} bytes are answered");
        return s;
    }
    if (!ping.sent) return not_run(std::move(s), ping);
    s.state = State::failed;
    s.value = std::to_string(passes);
    s.seen = N_("packets of {subject} bytes are not answered, packets of {value} bytes are");
    s.mend = N_("{peer}, the route to it or a device on the way has a smaller MTU than {where}. "
                "Use the same mode and MTU on both ends (nm-ib port). To see the MTU of the route: "
                "ip route get {peer}");
    return s;
}

std::optional<unsigned> ceiling(const LinkSeen &link) noexcept
{
    if (!link.data_rate) return link.pci_rate;
    return link.pci_rate ? std::min(*link.data_rate, *link.pci_rate) : link.data_rate;
}

CheckStep judge_throughput(const LinkSeen &link, const std::optional<IperfSeen> &iperf, unsigned least)
{
    CheckStep s{.name = Name::throughput, .where = link.port};
    const auto *const mend = N_("Check, the most likely cause first: mode and MTU of both ends (nm-ib port), TSO "
                                "(ethtool -k), several streams (iperf3 -P 4), PCI slot (lspci -vv), processors");
    if (!iperf) {
        s.state = State::failed;
        s.seen = N_("iperf3 did not finish: the TCP stream stalled");
        s.mend = mend;
        return s;
    }
    s.subject = rate_text(iperf->mbps);
    const auto most = ceiling(link);
    if (!most || *most == 0) {
        s.seen = N_("{subject}; how much {where} can carry is not known");
        return s;
    }
    const auto percent = 100.0 * iperf->mbps / *most;
    s.value = message(untranslated, "{:.{}f}", percent, percent < 10 ? 1 : 0);
    s.peer = rate_text(*most);
    // xgettext:no-c-format
    s.seen = *most == link.data_rate ? N_("{subject}, {value} % of {peer}, the data rate of {where}")
                                     // xgettext:no-c-format
                                     : N_("{subject}, {value} % of {peer}, which the PCI link of {where} carries");
    if (percent >= least) return s;
    s.state = State::warning;
    s.mend = mend;
    return s;
}

CheckStep missing_program(Name name, const std::string &program, const std::string &package)
{
    return {.name = name,
            .state = State::skipped,
            .seen = N_("{subject} is not installed, or not in PATH"),
            .mend = N_("Install the package {value}"),
            .subject = program,
            .value = package};
}

} // namespace nmib
