// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/rtnl.hpp"

#include <cerrno>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

namespace nmib
{

namespace
{
/// RTM_GETLINK without statistics, which the kernel would sum over all processors.
NetlinkMessage make(int flags, int ifindex = 0)
{
    auto m = link_request(RTM_GETLINK, ifindex);
    if (m) ::nlmsg_hdr(m.get())->nlmsg_flags |= static_cast<std::uint16_t>(flags);
    if (m && ::nla_put_u32(m.get(), IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS) < 0) m.reset();
    return m;
}

/// A bond or team of IPoIB ports has their type and address; its kind differs. Before Linux 5.9.2 a port has no kind.
void read_kind(LinkRow &row, nlattr *linkinfo) noexcept
{
    nlattr *info[IFLA_INFO_MAX + 1] = {};
    nlattr *data[IFLA_IPOIB_MAX + 1] = {};
    if (::nla_parse_nested(info, IFLA_INFO_MAX, linkinfo, nullptr) < 0 || !info[IFLA_INFO_KIND]) return;
    if (::nla_strcmp(info[IFLA_INFO_KIND], "ipoib") != 0) row.infiniband = false;
    if (!row.infiniband || !info[IFLA_INFO_DATA]) return;
    if (::nla_parse_nested(data, IFLA_IPOIB_MAX, info[IFLA_INFO_DATA], nullptr) < 0) return;
    if (data[IFLA_IPOIB_PKEY] && ::nla_len(data[IFLA_IPOIB_PKEY]) >= 2)
        row.pkey = PKey::from(::nla_get_u16(data[IFLA_IPOIB_PKEY]));
    if (data[IFLA_IPOIB_MODE] && ::nla_len(data[IFLA_IPOIB_MODE]) >= 2)
        row.mode = ::nla_get_u16(data[IFLA_IPOIB_MODE]) == IPOIB_MODE_CONNECTED ? TransportMode::connected
                                                                                : TransportMode::datagram;
}

std::vector<std::string> alternative_names(nlmsghdr *message)
{
    std::vector<std::string> all;
    nlattr *item = nullptr, *list = ::nlmsg_find_attr(message, sizeof(ifinfomsg), IFLA_PROP_LIST);
    int left = 0;
    if (!list) return all;
    nla_for_each_nested(item, list, left)
    {
        if (::nla_type(item) != IFLA_ALT_IFNAME) continue;
        const std::string_view raw(static_cast<const char *>(::nla_data(item)),
                                   static_cast<std::size_t>(::nla_len(item)));
        all.emplace_back(raw.substr(0, raw.find('\0')));
    }
    return all;
}

} // namespace

std::optional<LinkRow> parse_link(const nlmsghdr *message) noexcept
{
    auto *hdr = const_cast<nlmsghdr *>(message);
    nlattr *tb[IFLA_MAX + 1] = {};
    if (hdr->nlmsg_type != RTM_NEWLINK || ::nlmsg_parse(hdr, sizeof(ifinfomsg), tb, IFLA_MAX, nullptr) < 0)
        return std::nullopt;
    const auto *ifi = static_cast<const ifinfomsg *>(::nlmsg_data(hdr));
    LinkRow row;
    row.ifindex = ifi->ifi_index;
    if (row.ifindex <= 0 || !tb[IFLA_IFNAME]) return std::nullopt;
    const std::string_view raw(static_cast<const char *>(::nla_data(tb[IFLA_IFNAME])),
                               static_cast<std::size_t>(::nla_len(tb[IFLA_IFNAME])));
    row.name = IfName::parse(raw.substr(0, raw.find('\0')));
    if (tb[IFLA_ADDRESS] && ifi->ifi_type == ARPHRD_INFINIBAND) {
        const auto a = HwAddr::from({static_cast<const std::uint8_t *>(::nla_data(tb[IFLA_ADDRESS])),
                                     static_cast<std::size_t>(::nla_len(tb[IFLA_ADDRESS]))});
        row.infiniband = a.has_value();
        if (a) row.address = *a;
    }
    const auto u32 = [&](int type) { return tb[type] && ::nla_len(tb[type]) >= 4 ? ::nla_get_u32(tb[type]) : 0U; };
    // With IFLA_LINK_NETNSID, the number belongs to another namespace.
    const auto parent = static_cast<int>(u32(IFLA_LINK));
    if (parent > 0 && parent != row.ifindex && !tb[IFLA_LINK_NETNSID]) row.parent = parent;
    row.mtu = u32(IFLA_MTU);
    row.up = (ifi->ifi_flags & IFF_UP) != 0;
    row.carrier = tb[IFLA_CARRIER] && ::nla_len(tb[IFLA_CARRIER]) >= 1 && ::nla_get_u8(tb[IFLA_CARRIER]) != 0;
    if (tb[IFLA_LINKINFO]) read_kind(row, tb[IFLA_LINKINFO]);
    return row;
}

Result<Rtnl> Rtnl::open()
{
    auto netlink = Netlink::open(NETLINK_ROUTE);
    if (!netlink) return netlink.error();
    return Rtnl(std::move(*netlink));
}

Result<LinkRow> Rtnl::link(int ifindex) { return one(ifindex, nullptr, "interface " + std::to_string(ifindex)); }

Result<LinkRow> Rtnl::link(const IfName &name) { return one(0, name.c_str(), name.str()); }

Result<LinkRow> Rtnl::one(int ifindex, const char *name, const std::string &where)
{
    const auto m = make(0, ifindex);
    if (!m || (name && ::nla_put_string(m.get(), IFLA_IFNAME, name) < 0)) return sys_error(ENOMEM, where);
    std::optional<LinkRow> row;
    const int e = netlink_.ask(m.get(), [&](const nlmsghdr *answer) { row = parse_link(answer); });
    if (e || !row) return sys_error(e ? e : ENODEV, where);
    return *row;
}

Result<std::vector<LinkRow>> Rtnl::ipoib_links()
{
    auto all = dump("ipoib");
    // A kernel without ib_ipoib does not know the kind, and lists all interfaces.
    if (all) std::erase_if(*all, [](const LinkRow &row) { return !row.infiniband; });
    return all;
}

Result<std::vector<LinkRow>> Rtnl::all_links() { return dump(nullptr); }

Result<std::vector<LinkRow>> Rtnl::dump(const char *kind)
{
    for (int attempt = 0; attempt < 8; attempt++) {
        const auto m = make(NLM_F_DUMP);
        if (!m) return sys_error(ENOMEM, "list of interfaces");
        if (kind) {
            nlattr *info = ::nla_nest_start(m.get(), IFLA_LINKINFO);
            if (!info || ::nla_put_string(m.get(), IFLA_INFO_KIND, kind) < 0)
                return sys_error(ENOMEM, "list of interfaces");
            ::nla_nest_end(m.get(), info);
        }
        std::vector<LinkRow> rows;
        const int e = netlink_.ask(m.get(), [&](nlmsghdr *answer) {
            auto row = parse_link(answer);
            if (row && !kind) row->alternative_names = alternative_names(answer);
            if (row) rows.push_back(std::move(*row));
        });
        if (e == EINTR || e == ENOBUFS) continue; // the list changed, or exceeded the buffer
        if (e) return sys_error(e, "list of interfaces");
        return rows;
    }
    return Error{Error::Kind::io, "list of interfaces: changes faster than nm-ib can read"};
}

Result<void> Rtnl::acknowledged(nl_msg *message, const std::string &where)
{
    const int e = netlink_.acknowledged(message);
    return e ? sys_error(e, where) : Result<void>();
}

std::optional<IfName> port_with(Rtnl &rtnl, const HwAddr &address)
{
    const auto rows = rtnl.ipoib_links();
    if (!rows) return std::nullopt;
    for (const auto &row : *rows)
        if (row.name && row.infiniband && !row.parent && row.address.guid() == address.guid()) return row.name;
    return std::nullopt;
}

} // namespace nmib
