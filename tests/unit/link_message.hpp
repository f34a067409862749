// SPDX-License-Identifier: LGPL-2.1-or-later
/// RTM_NEWLINK messages made with libnl, in the kernel's layout (net/core/rtnetlink.c, rtnl_fill_ifinfo).
#pragma once
#include "probe/base/rtnl.hpp"

#include <cstdint>
#include <cstring>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

namespace nmib::test
{

struct LinkMessage {
    int ifindex = 5;
    std::string name = "ib0.8002";
    unsigned short type = ARPHRD_INFINIBAND;
    unsigned flags = IFF_UP;
    std::vector<std::uint8_t> address = std::vector<std::uint8_t>(20, 0x80);
    int link = 4;
    bool foreign = false; ///< IFLA_LINK_NETNSID
    Mtu mtu = 2044;
    std::string kind = "ipoib"; ///< empty: neither kind nor data
    std::uint16_t pkey = 0x8002, mode = 1;

    /// The bytes, aligned like a receive buffer.
    std::vector<std::uint32_t> bytes() const
    {
        const std::unique_ptr<nl_msg, void (*)(nl_msg *)> m(::nlmsg_alloc_simple(RTM_NEWLINK, 0), ::nlmsg_free);
        ifinfomsg ifi{};
        ifi.ifi_type = type;
        ifi.ifi_index = ifindex;
        ifi.ifi_flags = flags;
        ::nlmsg_append(m.get(), &ifi, sizeof(ifi), NLMSG_ALIGNTO);
        ::nla_put(m.get(), IFLA_IFNAME, static_cast<int>(name.size()) + 1, name.c_str());
        ::nla_put_u32(m.get(), IFLA_TXQLEN, 256);
        ::nla_put_u32(m.get(), IFLA_MTU, mtu);
        ::nla_put_u32(m.get(), IFLA_LINK, static_cast<std::uint32_t>(link));
        if (foreign) ::nla_put_u32(m.get(), IFLA_LINK_NETNSID, 0);
        ::nla_put_u8(m.get(), IFLA_CARRIER, 1);
        ::nla_put(m.get(), IFLA_ADDRESS, static_cast<int>(address.size()), address.data());
        nlattr *info = ::nla_nest_start(m.get(), IFLA_LINKINFO);
        if (!kind.empty()) {
            ::nla_put_string(m.get(), IFLA_INFO_KIND, kind.c_str());
            nlattr *data = ::nla_nest_start(m.get(), IFLA_INFO_DATA);
            ::nla_put_u16(m.get(), IFLA_IPOIB_PKEY, pkey);
            ::nla_put_u16(m.get(), IFLA_IPOIB_MODE, mode);
            ::nla_put_u16(m.get(), IFLA_IPOIB_UMCAST, 0);
            ::nla_nest_end(m.get(), data);
        }
        ::nla_put_string(m.get(), IFLA_INFO_SLAVE_KIND, "bond"); // of the bond; not the interface's own kind
        ::nla_nest_end(m.get(), info);
        const nlmsghdr *h = ::nlmsg_hdr(m.get());
        std::vector<std::uint32_t> out((h->nlmsg_len + 3) / 4);
        std::memcpy(out.data(), h, h->nlmsg_len);
        return out;
    }
};

inline std::optional<LinkRow> parse(const std::vector<std::uint32_t> &bytes)
{
    return parse_link(reinterpret_cast<const nlmsghdr *>(bytes.data()));
}

} // namespace nmib::test
