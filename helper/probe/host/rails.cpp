// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/host/rails.hpp"

#include "probe/base/netlink.hpp"

#include <cerrno>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>

namespace nmib
{

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
            if (tb[RTA_TABLE]) numbers.insert(::nla_get_u32(tb[RTA_TABLE]));
            if (type == RTM_GETRULE && tb[FRA_PRIORITY]) numbers.insert(::nla_get_u32(tb[FRA_PRIORITY]));
        });
        if (e) return sys_error(e, what);
    }
    return numbers;
}

} // namespace nmib
