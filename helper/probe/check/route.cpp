// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/check/route.hpp"

#include "probe/base/netlink.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <linux/fib_rules.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <sys/socket.h>

namespace nmib
{

namespace
{
std::size_t length(const IpAddress &a) noexcept { return a.six ? 16 : 4; }
unsigned char family(const IpAddress &a) noexcept { return a.six ? AF_INET6 : AF_INET; }

std::optional<IpAddress> address(int family, const void *bytes, std::size_t size) noexcept
{
    IpAddress a{.six = family == AF_INET6};
    if ((family != AF_INET && family != AF_INET6) || size < length(a)) return std::nullopt;
    std::memcpy(a.bytes.data(), bytes, length(a));
    return a;
}

std::optional<IpAddress> address(int family, nlattr *attribute) noexcept
{
    if (!attribute) return std::nullopt;
    return address(family, ::nla_data(attribute), static_cast<std::size_t>(::nla_len(attribute)));
}

/// Parses RTA_VIA, a gateway of the other family: family, then address.
std::optional<IpAddress> via(nlattr *attribute) noexcept
{
    if (!attribute || ::nla_len(attribute) < 2) return std::nullopt;
    const auto *bytes = static_cast<const unsigned char *>(::nla_data(attribute));
    std::uint16_t its_family = 0;
    std::memcpy(&its_family, bytes, sizeof(its_family));
    return address(its_family, bytes + 2, static_cast<std::size_t>(::nla_len(attribute)) - 2);
}

std::uint32_t u32(nlattr *attribute) noexcept
{
    return attribute && ::nla_len(attribute) >= 4 ? ::nla_get_u32(attribute) : 0;
}

/// Sends one request that has one answer.
template<class T>
Result<T> ask(nl_msg *message, const std::string &what, std::optional<T> (*parse)(const nlmsghdr *) noexcept)
{
    std::optional<T> value;
    auto socket = Netlink::open(NETLINK_ROUTE);
    if (!socket) return socket.error();
    const int e = socket->ask(message, [&](const nlmsghdr *answer) {
        if (!value) value = parse(answer);
    });
    if (e) return sys_error(e, what);
    if (!value) return Error{Error::Kind::io, what + ": the kernel's answer cannot be parsed"};
    return *value;
}
} // namespace

std::optional<RouteSeen> parse_route(const nlmsghdr *message) noexcept
{
    auto *hdr = const_cast<nlmsghdr *>(message);
    nlattr *tb[RTA_MAX + 1] = {};
    if (hdr->nlmsg_type != RTM_NEWROUTE || ::nlmsg_parse(hdr, sizeof(rtmsg), tb, RTA_MAX, nullptr) < 0)
        return std::nullopt;
    const auto *route = static_cast<const rtmsg *>(::nlmsg_data(hdr));
    RouteSeen seen;
    seen.local = route->rtm_type == RTN_LOCAL;
    seen.single = route->rtm_type == RTN_LOCAL || route->rtm_type == RTN_UNICAST;
    seen.ifindex = static_cast<int>(u32(tb[RTA_OIF]));
    if (seen.ifindex <= 0) return std::nullopt;
    seen.gateway = tb[RTA_GATEWAY] ? address(route->rtm_family, tb[RTA_GATEWAY]) : via(tb[RTA_VIA]);
    if (seen.gateway) seen.gateway->scope = seen.ifindex;
    return seen;
}

std::optional<NeighbourState> parse_neighbour(const nlmsghdr *message) noexcept
{
    auto *hdr = const_cast<nlmsghdr *>(message);
    if (hdr->nlmsg_type != RTM_NEWNEIGH || ::nlmsg_datalen(hdr) < static_cast<int>(sizeof(ndmsg))) return std::nullopt;
    const auto state = static_cast<const ndmsg *>(::nlmsg_data(hdr))->ndm_state;
    if (state & NUD_FAILED) return NeighbourState::failed;
    if (state & NUD_INCOMPLETE) return NeighbourState::incomplete;
    return state == NUD_NONE ? NeighbourState::none : NeighbourState::known;
}

Result<RouteSeen> read_route(const IpAddress &to, const IpAddress *from)
{
    const std::string what = "route";
    rtmsg route{};
    route.rtm_family = family(to);
    route.rtm_dst_len = static_cast<unsigned char>(length(to) * 8);
    const auto size = static_cast<int>(length(to));
    const auto m = netlink_request(RTM_GETROUTE, 0, route);
    if (!m || ::nla_put(m.get(), RTA_DST, size, to.bytes.data()) < 0 ||
        (from && ::nla_put(m.get(), RTA_SRC, size, from->bytes.data()) < 0) ||
        (to.scope && ::nla_put_u32(m.get(), RTA_OIF, static_cast<std::uint32_t>(to.scope)) < 0))
        return sys_error(ENOMEM, what);
    return ask<RouteSeen>(m.get(), what, parse_route);
}

Result<NeighbourState> read_neighbour(const IpAddress &of, int ifindex)
{
    const std::string what = "neighbour";
    ndmsg neighbour{};
    neighbour.ndm_family = family(of);
    neighbour.ndm_ifindex = ifindex;
    const auto m = netlink_request(RTM_GETNEIGH, 0, neighbour);
    if (!m || ::nla_put(m.get(), NDA_DST, static_cast<int>(length(of)), of.bytes.data()) < 0)
        return sys_error(ENOMEM, what);
    auto answer = ask<NeighbourState>(m.get(), what, parse_neighbour);
    if (!answer && answer.error().kind == Error::Kind::absent) return NeighbourState::none;
    return answer;
}

// A rule's message has the layout of a route's, and its attributes the numbers.
static_assert(sizeof(fib_rule_hdr) == sizeof(rtmsg) && int{FRA_TABLE} == int{RTA_TABLE});

Result<std::set<std::uint32_t>> read_routing_numbers()
{
    const std::string what = "routing tables";
    std::set<std::uint32_t> numbers;
    auto socket = Netlink::open(NETLINK_ROUTE);
    if (!socket) return socket.error();
    for (const int type : {RTM_GETRULE, RTM_GETROUTE}) {
        const auto m = netlink_request(type, NLM_F_DUMP, rtmsg{});
        if (!m) return sys_error(ENOMEM, what);
        const int e = socket->ask(m.get(), [&](nlmsghdr *answer) {
            nlattr *tb[FRA_MAX + 1] = {};
            if (::nlmsg_parse(answer, sizeof(rtmsg), tb, FRA_MAX, nullptr) < 0) return;
            numbers.insert(static_cast<const rtmsg *>(::nlmsg_data(answer))->rtm_table);
            if (tb[RTA_TABLE]) numbers.insert(u32(tb[RTA_TABLE]));
            if (type == RTM_GETRULE && tb[FRA_PRIORITY]) numbers.insert(u32(tb[FRA_PRIORITY]));
        });
        if (e) return sys_error(e, what);
    }
    return numbers;
}

} // namespace nmib
