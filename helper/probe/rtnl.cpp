// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/rtnl.hpp"

#include <cerrno>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <sys/socket.h>

namespace nmib
{

namespace
{
using Message = std::unique_ptr<nl_msg, void (*)(nl_msg *)>;

/// RTM_GETLINK, without the statistics that the kernel would add up over all processors.
Message make(int flags, int ifindex = 0)
{
    Message m(::nlmsg_alloc_simple(RTM_GETLINK, NLM_F_REQUEST | flags), ::nlmsg_free);
    ifinfomsg ifi{};
    ifi.ifi_index = ifindex;
    if (m && (::nlmsg_append(m.get(), &ifi, sizeof(ifi), NLMSG_ALIGNTO) < 0 ||
              ::nla_put_u32(m.get(), IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS) < 0))
        m.reset();
    return m;
}

/// libnl's own numbering of errors, as an errno where there is one.
Error nl_failed(int nl_error, const std::string &where)
{
    const int e = -nl_error;
    switch (e) {
    case NLE_NODEV:
    case NLE_OBJ_NOTFOUND: return sys_error(ENODEV, where);
    case NLE_PERM: return sys_error(EPERM, where);
    case NLE_INVAL: return sys_error(EINVAL, where);
    case NLE_OPNOTSUPP: return sys_error(EOPNOTSUPP, where);
    case NLE_BUSY: return sys_error(EBUSY, where);
    case NLE_RANGE: return sys_error(ERANGE, where);
    case NLE_NOMEM: return sys_error(ENOBUFS, where);
    default: return Error{Error::Kind::io, where + ": " + ::nl_geterror(nl_error)};
    }
}

/// A bond or a team of IPoIB ports has their type and address, so only its kind shows that it is no port. Before
/// Linux 5.9.2 a port has no kind.
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

struct Collected {
    bool with_alternative_names = false;
    std::vector<LinkRow> rows{};
    static int add(nl_msg *msg, void *self) noexcept
    {
        auto &all = *static_cast<Collected *>(self);
        auto row = parse_link(::nlmsg_hdr(msg));
        if (!row) return NL_OK;
        if (all.with_alternative_names) row->alternative_names = alternative_names(::nlmsg_hdr(msg));
        all.rows.push_back(std::move(*row));
        return NL_OK;
    }
};

/// Sends a request and collects the answer; a negative number of libnl's when that fails.
int ask(nl_sock *sock, nl_msg *message, Collected &answer) noexcept
{
    ::nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, Collected::add, &answer);
    int e = ::nl_send_auto(sock, message);
    if (e >= 0) e = ::nl_recvmsgs_default(sock);
    ::nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_DEFAULT, nullptr, nullptr); // `answer` will be gone
    return e;
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
    // A link in another namespace has IFLA_LINK_NETNSID and a number that means nothing here.
    const auto parent = static_cast<int>(u32(IFLA_LINK));
    if (parent > 0 && parent != row.ifindex && !tb[IFLA_LINK_NETNSID]) row.parent = parent;
    row.mtu = u32(IFLA_MTU);
    row.up = (ifi->ifi_flags & IFF_UP) != 0;
    row.carrier = tb[IFLA_CARRIER] && ::nla_len(tb[IFLA_CARRIER]) >= 1 && ::nla_get_u8(tb[IFLA_CARRIER]) != 0;
    if (tb[IFLA_LINKINFO]) read_kind(row, tb[IFLA_LINKINFO]);
    return row;
}

void Rtnl::Free::operator()(nl_sock *s) const noexcept { ::nl_socket_free(s); }

Result<Rtnl> Rtnl::open()
{
    Rtnl r(::nl_socket_alloc());
    if (!r.sock_) return sys_error(ENOMEM, "netlink socket");
    ::nl_socket_disable_auto_ack(r.sock_.get());
    if (const int e = ::nl_connect(r.sock_.get(), NETLINK_ROUTE); e < 0) return nl_failed(e, "netlink socket");
    ::nl_socket_set_buffer_size(r.sock_.get(), 1 << 20, 0);
    return r;
}

Result<LinkRow> Rtnl::link(int ifindex) { return one(ifindex, nullptr, "interface " + std::to_string(ifindex)); }

Result<LinkRow> Rtnl::link(const IfName &name) { return one(0, name.c_str(), name.str()); }

Result<LinkRow> Rtnl::one(int ifindex, const char *name, const std::string &where)
{
    const auto m = make(0, ifindex);
    if (!m || (name && ::nla_put_string(m.get(), IFLA_IFNAME, name) < 0)) return sys_error(ENOMEM, where);
    Collected c;
    if (const int e = ask(sock_.get(), m.get(), c); e < 0) return nl_failed(e, where);
    if (c.rows.empty()) return sys_error(ENODEV, where);
    return c.rows.front();
}

Result<std::vector<LinkRow>> Rtnl::ipoib_links()
{
    auto all = dump("ipoib");
    // A kernel without ib_ipoib does not know the kind and lists everything.
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
        Collected c{.with_alternative_names = !kind};
        const int e = ask(sock_.get(), m.get(), c);
        if (e == -NLE_DUMP_INTR || e == -NLE_NOMEM) continue; // changed meanwhile, or more than the buffer held
        if (e < 0) return nl_failed(e, "list of interfaces");
        return std::move(c.rows);
    }
    return Error{Error::Kind::io, "list of interfaces: it changes faster than it can be read"};
}

Result<void> Rtnl::acknowledged(nl_msg *message, const std::string &where)
{
    ::nlmsg_hdr(message)->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
    if (const int e = ::nl_send_auto(sock_.get(), message); e < 0) return nl_failed(e, where);
    if (const int e = ::nl_wait_for_ack(sock_.get()); e < 0) return nl_failed(e, where);
    return {};
}

} // namespace nmib
