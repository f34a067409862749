// SPDX-License-Identifier: LGPL-2.1-or-later
/// ib_ipoib as far as a plan can touch it, and apply/'s memory of what was refused. Written from the kernel's source
/// (drivers/infiniband/ulp/ipoib, Linux 6.1), not from ours.
#pragma once
#include "core/plan/plan.hpp"

#include <map>

namespace nmib::test
{

class KernelModel
{
public:
    /// What no fact tells: the limits behind one interface.
    struct Limits {
        Mtu port = 4092;  ///< max_ib_mtu - 4: above is EINVAL
        Mtu group = 2044; ///< mcast_mtu: above is lowered silently
        Mtu cm = 65520;   ///< the device's connected mode maximum
        bool refuses_connected = false;
    };

    /// Facts that contradict the limits are brought in line with them.
    KernelModel(Facts facts, std::map<int, Limits> limits);

    const Facts &facts() const noexcept { return facts_; }
    /// What apply/ would do with the plan. False when the driver refused connected mode: then a new plan is due.
    bool apply(const Plan &plan);
    /// ipoib_set_mode from outside; false for EINVAL.
    bool set_mode(int ifindex, TransportMode mode);
    /// ipoib_change_mtu from outside; false for EINVAL.
    bool set_mtu(int ifindex, Mtu mtu) { return change_mtu(*facts_.find(ifindex), mtu); }
    /// ETHTOOL_SFEATURES from outside; false when the feature cannot be changed.
    bool set_feature(int ifindex, const FeatureName &feature, bool on);
    /// The carrier of an interface goes, or comes with a broadcast group of this MTU. In datagram mode the kernel goes
    /// back to what was asked for last, as far as the group allows (ipoib_mcast_join_finish).
    void lose_carrier(int ifindex) { facts_.find(ifindex)->carrier = false; }
    void join(int ifindex, Mtu group);
    void remove(int ifindex);
    /// netdev->features: connected mode drops TSO and keeps the request (ipoib_fix_features).
    bool active(const Link &link, const FeatureName &feature) const noexcept;

private:
    bool change_mtu(Link &link, Mtu mtu);
    void raise_mtu(Link &link, Mtu at_most, TransportMode rungs);
    void remember(const Link &link, TransportMode mode);
    void recall();

    Facts facts_;
    std::map<int, Limits> limits_;
    std::map<int, std::pair<TransportMode, Mtu>> ceilings_;
    std::map<int, Mtu> asked_; ///< priv->admin_mtu
};

} // namespace nmib::test
