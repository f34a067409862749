// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/link.hpp"

#include <cerrno>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

namespace nmib
{

namespace
{
std::string interface(int ifindex) { return "interface " + std::to_string(ifindex); }

Result<void> request(Rtnl &rtnl, int type, const ifinfomsg &ifi, const Mtu *mtu, const std::string &where)
{
    const std::unique_ptr<nl_msg, void (*)(nl_msg *)> m(::nlmsg_alloc_simple(type, 0), ::nlmsg_free);
    if (!m || ::nlmsg_append(m.get(), const_cast<ifinfomsg *>(&ifi), sizeof(ifi), NLMSG_ALIGNTO) < 0 ||
        (mtu && ::nla_put_u32(m.get(), IFLA_MTU, *mtu) < 0))
        return sys_error(ENOMEM, where);
    return rtnl.acknowledged(m.get(), where);
}
} // namespace

Result<void> set_up(Rtnl &rtnl, int ifindex, bool up)
{
    ifinfomsg ifi{};
    ifi.ifi_index = ifindex;
    ifi.ifi_change = IFF_UP;
    if (up) ifi.ifi_flags = IFF_UP;
    return request(rtnl, RTM_NEWLINK, ifi, nullptr, interface(ifindex) + (up ? ": up" : ": down"));
}

Result<void> set_mtu(Rtnl &rtnl, int ifindex, Mtu mtu)
{
    ifinfomsg ifi{};
    ifi.ifi_index = ifindex;
    return request(rtnl, RTM_NEWLINK, ifi, &mtu, interface(ifindex) + ": MTU " + std::to_string(mtu));
}

Result<void> delete_child(Rtnl &rtnl, int ifindex)
{
    const auto link = rtnl.link(ifindex);
    if (!link) return link.error();
    if (!link->infiniband || link->parent == 0)
        return Error{Error::Kind::invalid, interface(ifindex) + ": not a P_Key child, not deleted"};
    ifinfomsg ifi{};
    ifi.ifi_index = ifindex;
    return request(rtnl, RTM_DELLINK, ifi, nullptr, interface(ifindex) + ": delete");
}

Result<Mtu> raise_mtu(Rtnl &rtnl, int ifindex, Mtu at_most, TransportMode mode)
{
    for (auto value = std::optional(at_most); value; value = mtu::next_below(mode, *value)) {
        if (const auto r = set_mtu(rtnl, ifindex, *value); !r) {
            if (r.error().kind != Error::Kind::refused) return r.error();
            continue;
        }
        const auto now = rtnl.link(ifindex);
        if (!now) return now.error();
        return now->mtu;
    }
    return Error{Error::Kind::refused,
                 interface(ifindex) + ": no MTU up to " + std::to_string(at_most) + " is accepted"};
}

} // namespace nmib
