// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernel_model.hpp"

#include "make.hpp"

#include <algorithm>

namespace nmib::test
{

KernelModel::KernelModel(Facts facts, std::map<int, Limits> limits) :
    facts_(std::move(facts)), limits_(std::move(limits))
{
    for (auto &l : facts_.links) {
        const auto &limit = limits_[l.ifindex];
        const bool cm = l.mode == TransportMode::connected;
        l.mtu = std::min(l.mtu, cm ? limit.cm : std::min(limit.group, limit.port));
        if (l.mtu_ceiling) ceilings_[l.ifindex] = {l.mode, *l.mtu_ceiling};
        hidden_[l.ifindex] = {l.mtu, l.mtu};
    }
}

/// ipoib_main.c, ipoib_set_mode
bool KernelModel::set_mode(int ifindex, TransportMode mode)
{
    auto &l = *facts_.find(ifindex);
    const auto &limit = limits_[ifindex];
    if (mode == l.mode) return true;
    if (mode == TransportMode::connected) {
        if (!l.address.rc_capable() || limit.refuses_connected) return false;
        l.mode = mode;
        (void)change_mtu(l, limit.cm); // dev_set_mtu(dev, ipoib_cm_max_mtu(dev))
    } else {
        l.mode = mode;
        (void)change_mtu(l, std::min(limit.group, l.mtu)); // dev_set_mtu(dev, min(priv->mcast_mtu, dev->mtu))
    }
    recall();
    return true;
}

/// net/core/dev.c, dev_set_mtu: no call of the driver and no notification for the MTU in effect
bool KernelModel::change_mtu(Link &l, Mtu mtu)
{
    if (mtu == l.mtu) return true;
    if (!driver_changes_mtu(l, mtu)) return false;
    // net/ipv6/addrconf.c, addrconf_notify, NETDEV_CHANGEMTU, also if the driver lowered the MTU to the old one:
    // idev->cnf.mtu6 = dev->mtu; below IPV6_MIN_MTU addrconf_ifdown(dev, true)
    hidden_.at(l.ifindex).ip6 = l.mtu >= mtu::ipv6_minimum ? l.mtu : 0;
    return true;
}

/// ipoib_main.c, ipoib_change_mtu
bool KernelModel::driver_changes_mtu(Link &l, Mtu mtu)
{
    const auto &limit = limits_.at(l.ifindex);
    if (l.mode == TransportMode::connected) {
        if (mtu > limit.cm) return false; // ipoib_cm_max_mtu: 65520, or less by max_srq_sge (ipoib_cm_dev_init)
        l.mtu = mtu;
        return true;
    }
    if (mtu < 72 || mtu > limit.port) return false; // IPOIB_UD_MTU(priv->max_ib_mtu)
    hidden_.at(l.ifindex).asked = mtu;              // priv->admin_mtu = new_mtu
    l.mtu = std::min(limit.group, mtu);             // min(priv->mcast_mtu, priv->admin_mtu)
    // Enhanced IPoIB (rn_ops->ndo_change_mtu): netif_carrier_off, then netif_carrier_on
    if (!l.address.rc_capable() && l.carrier) hidden_.at(l.ifindex).carrier_changes += 2;
    return true;
}

bool KernelModel::set_ip6_mtu(int ifindex, Mtu mtu)
{
    auto &ip6 = hidden_.at(ifindex).ip6;
    // addrconf_sysctl_mtu: from IPV6_MIN_MTU to dev->mtu
    if (ip6 == 0 || mtu < mtu::ipv6_minimum || mtu > facts_.find(ifindex)->mtu) return false;
    ip6 = mtu;
    return true;
}

/// addrconf.c, dev_disable_change: NETDEV_DOWN, which clears IF_READY (addrconf_ifdown), then NETDEV_UP
void KernelModel::restart_ip6(int ifindex)
{
    auto &l = *facts_.find(ifindex);
    auto &hidden = hidden_.at(ifindex);
    hidden.ip6_ready = l.carrier;
    if (l.carrier) hidden.ip6 = l.mtu >= mtu::ipv6_minimum ? l.mtu : 0;
}

void KernelModel::set_carrier(Link &l, bool on)
{
    auto &hidden = hidden_.at(l.ifindex);
    if (l.carrier != on) hidden.carrier_changes++; // netif_carrier_on, netif_carrier_off
    l.carrier = on;
    // addrconf_notify, NETDEV_UP and NETDEV_CHANGE: the MTU that changed while the interface was down is copied when
    // the interface gets ready (IF_READY); a later loss of the carrier leaves the flag
    if (on && !hidden.ip6_ready) hidden.ip6 = l.mtu >= mtu::ipv6_minimum ? l.mtu : 0;
    hidden.ip6_ready |= on;
}

/// ipoib_ib.c, __ipoib_ib_dev_flush: IPOIB_FLUSH_NORMAL and above call ipoib_ib_dev_down
void KernelModel::lose_carrier(int ifindex) { set_carrier(*facts_.find(ifindex), false); }

/// ipoib_ib.c, __ipoib_ib_dev_flush: IPOIB_FLUSH_LIGHT (client re-registration) leaves and joins the groups without
/// ipoib_ib_dev_down
void KernelModel::join(int ifindex, Mtu group)
{
    auto &l = *facts_.find(ifindex);
    auto &allowed = limits_.at(ifindex).group;
    auto &asked = hidden_.at(ifindex).asked;
    if (asked == allowed) asked = group; // ipoib_multicast.c, ipoib_mcast_join_finish: admin_mtu follows
    allowed = group;
    // ipoib_mcast_carrier_on_task: dev_set_mtu(priv->dev, min(priv->mcast_mtu, priv->admin_mtu)), not in connected
    // mode; ipoib_change_mtu stores this as the new admin_mtu
    if (l.mode == TransportMode::datagram) (void)change_mtu(l, std::min(group, asked));
    set_carrier(l, true);
}

bool KernelModel::restart(int ifindex, std::optional<TransportMode> mode)
{
    auto &l = *facts_.find(ifindex);
    set_carrier(l, false);
    hidden_.at(ifindex).ip6_ready = false; // addrconf_ifdown
    return !mode || set_mode(ifindex, *mode);
}

void KernelModel::raise_mtu(Link &l, Mtu at_most, TransportMode rungs)
{
    for (auto value = std::optional(at_most); value; value = mtu::next_below(rungs, *value))
        if (change_mtu(l, *value)) {
            if (l.mtu < at_most) remember(l, rungs);
            return;
        }
}

void KernelModel::remember(const Link &l, TransportMode mode)
{
    ceilings_[l.ifindex] = {mode, l.mtu};
    recall();
}

/// probe/plan/state: a ceiling is valid only in its own mode.
void KernelModel::recall()
{
    for (auto &l : facts_.links) {
        const auto it = ceilings_.find(l.ifindex);
        l.mtu_ceiling =
            it != ceilings_.end() && it->second.first == l.mode ? std::optional(it->second.second) : std::nullopt;
    }
}

bool KernelModel::set_feature(int ifindex, const FeatureName &feature, bool on)
{
    for (auto &f : facts_.find(ifindex)->features)
        if (f.name == feature && f.available) {
            f.requested = on;
            return true;
        }
    return false;
}

void KernelModel::remove(int ifindex)
{
    std::erase_if(facts_.links, [=](const Link &l) { return l.ifindex == ifindex; });
}

bool KernelModel::active(const Link &link, const FeatureName &name) const noexcept
{
    return std::any_of(link.features.begin(), link.features.end(), [&](const Feature &f) {
        return f.name == name && f.requested && !(link.mode == TransportMode::connected && name == tso);
    });
}

bool KernelModel::apply(const Plan &plan)
{
    bool good = true;
    for (const auto &change : plan.changes) {
        if (const auto *m = std::get_if<SetMode>(&change)) {
            good = facts_.find(m->ifindex)->mode_writable && set_mode(m->ifindex, m->mode);
            if (!good) facts_.find(m->ifindex)->connected_refused = true;
        } else if (const auto *u = std::get_if<SetMtu>(&change)) {
            if (good) raise_mtu(*facts_.find(u->ifindex), u->at_most, u->mode);
        } else if (const auto *f = std::get_if<SetFeature>(&change)) {
            (void)set_feature(f->ifindex, f->feature, f->on);
        }
    }
    return good;
}

} // namespace nmib::test
