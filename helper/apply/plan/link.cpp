// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/plan/link.hpp"

#include "apply/base/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

namespace nmib
{

namespace
{
bool is_mode(const Dir &net, TransportMode mode) { return net.line("mode") == name(mode); }
} // namespace

Result<void> set_mode(const Sysfs &sysfs, const IfName &link, int ifindex, TransportMode mode)
{
    const auto where = link.str() + ": transport mode " + std::string(name(mode));
    const auto net = sysfs.root().sub("class/net/" + link.str());
    if (!net) return net.error();
    if (net->decimal("ifindex", INT32_MAX) != static_cast<std::uint64_t>(ifindex))
        return Error{Error::Kind::absent, where + ": the interface was replaced meanwhile"};
    const auto written = write_value(*net, "mode", std::string(name(mode)) + "\n", where);
    if (is_mode(*net, mode)) return {};
    if (written) return Error{Error::Kind::refused, where + ": the kernel keeps the other mode"};
    auto error = written.error();
    if (error.kind != Error::Kind::denied) error.kind = Error::Kind::refused;
    return error;
}

Result<void> set_mode_before_use(const Sysfs &sysfs, Rtnl &rtnl, const IfName &link, int ifindex, TransportMode mode)
{
    auto set = set_mode(sysfs, link, ifindex, mode);
    if (set || set.error().kind != Error::Kind::refused) return set;
    if (const auto row = rtnl.link(ifindex); !row || !row->up) return set;
    if (auto down = set_up(rtnl, ifindex, false); !down) return down;
    set = set_mode(sysfs, link, ifindex, mode);
    auto up = set_up(rtnl, ifindex, true);
    return set ? up : set;
}

namespace
{
std::string interface(int ifindex) { return "interface " + std::to_string(ifindex); }

Result<void> send(Rtnl &rtnl, nl_msg *m, const std::string &where)
{
    return m ? rtnl.acknowledged(m, where) : sys_error(ENOMEM, where);
}

/// `add` appends the attributes, and returns false if the message has no room.
template<class Add> Result<void> change(Rtnl &rtnl, int type, int ifindex, const Add &add, const std::string &where)
{
    const auto m = link_request(type, ifindex);
    return send(rtnl, m && add(m.get()) ? m.get() : nullptr, where);
}
} // namespace

Result<void> set_up(Rtnl &rtnl, int ifindex, bool up)
{
    const auto m = link_request(RTM_NEWLINK, ifindex, IFF_UP, up ? IFF_UP : 0);
    return send(rtnl, m.get(), interface(ifindex) + (up ? ": up" : ": down"));
}

Result<void> set_mtu(Rtnl &rtnl, int ifindex, Mtu mtu)
{
    const auto add = [&](nl_msg *m) { return ::nla_put_u32(m, IFLA_MTU, mtu) >= 0; };
    return change(rtnl, RTM_NEWLINK, ifindex, add, interface(ifindex) + ": MTU " + std::to_string(mtu));
}

Result<void> set_name(Rtnl &rtnl, int ifindex, const IfName &name)
{
    const auto add = [&](nl_msg *m) { return ::nla_put_string(m, IFLA_IFNAME, name.c_str()) >= 0; };
    const auto where = interface(ifindex) + ": name " + name.str();
    if (auto r = change(rtnl, RTM_NEWLINK, ifindex, add, where); !r) return r;
    const auto now = rtnl.link(ifindex);
    if (!now) return now.error();
    if (now->name != name) return Error{Error::Kind::refused, where + ": the kernel keeps the other name"};
    return {};
}

Result<void> delete_child(Rtnl &rtnl, int ifindex)
{
    const auto link = rtnl.link(ifindex);
    if (!link) return link.error();
    if (!link->infiniband || link->parent == 0)
        return Error{Error::Kind::invalid, interface(ifindex) + ": not a P_Key child, not deleted"};
    return send(rtnl, link_request(RTM_DELLINK, ifindex).get(), interface(ifindex) + ": delete");
}

Result<GrantedMtu> raise_mtu(Rtnl &rtnl, int ifindex, Mtu at_most, TransportMode mode)
{
    for (auto value = std::optional(at_most); value; value = mtu::next_below(mode, *value)) {
        if (const auto r = set_mtu(rtnl, ifindex, *value); !r) {
            if (r.error().kind != Error::Kind::refused) return r.error();
            continue;
        }
        const auto now = rtnl.link(ifindex);
        if (!now) return now.error();
        return GrantedMtu{now->mtu, *value != at_most};
    }
    return Error{Error::Kind::refused,
                 interface(ifindex) + ": no MTU up to " + std::to_string(at_most) + " is accepted"};
}

KeptIpv6Mtu::KeptIpv6Mtu(const std::string &proc, const LinkRow &before, Mtu requested)
{
    constexpr Mtu of_no_route = 1281; // IPv6 allows 1280 and more

    if (!before.name) return;
    auto conf = Dir::open(proc + "/sys/net/ipv6/conf/" + before.name->str());
    if (!conf) return;
    const auto mtu = conf->decimal("mtu", before.mtu);
    if (!mtu || (*mtu == before.mtu && *mtu != requested)) return;
    mtu_ = static_cast<Mtu>(*mtu);
    conf_ = std::move(*conf);
    if (before.mtu >= of_no_route)
        (void)write_value(*conf_, "mtu", std::to_string(of_no_route) + "\n", conf_->path() + "/mtu");
}

Result<void> KeptIpv6Mtu::restore(Mtu now) const
{
    if (!mtu_ || conf_->decimal("mtu", UINT32_MAX) == *mtu_) return {};
    return write_value(*conf_, "mtu", std::to_string(std::min(*mtu_, now)) + "\n", conf_->path() + "/mtu");
}

} // namespace nmib
