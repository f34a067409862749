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
        asked_[l.ifindex] = l.mtu;
    }
}

bool KernelModel::set_mode(int ifindex, TransportMode mode)
{
    auto &l = *facts_.find(ifindex);
    const auto &limit = limits_[ifindex];
    if (mode == l.mode) return true;
    if (mode == TransportMode::connected) {
        if (!l.address.rc_capable() || limit.refuses_connected) return false;
        l.mode = mode;
        l.mtu = limit.cm;
    } else {
        l.mode = mode;
        l.mtu = asked_[ifindex] = std::min(limit.group, l.mtu);
    }
    recall();
    return true;
}

bool KernelModel::change_mtu(Link &l, Mtu mtu)
{
    const auto &limit = limits_.at(l.ifindex);
    if (mtu == l.mtu) return true; // dev_set_mtu() does not call the driver
    if (l.mode == TransportMode::connected) {
        if (mtu > limit.cm) return false;
        l.mtu = mtu;
        return true;
    }
    if (mtu < 72 || mtu > limit.port) return false;
    asked_[l.ifindex] = mtu;
    l.mtu = std::min(limit.group, mtu);
    return true;
}

void KernelModel::join(int ifindex, Mtu group)
{
    auto &l = *facts_.find(ifindex);
    l.carrier = true;
    auto &allowed = limits_.at(ifindex).group;
    if (asked_[ifindex] == allowed) asked_[ifindex] = group; // ipoib_mcast_join_finish: admin_mtu follows
    allowed = group;
    if (l.mode == TransportMode::datagram) l.mtu = std::min(group, asked_[ifindex]);
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
