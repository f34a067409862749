// SPDX-License-Identifier: LGPL-2.1-or-later
/// A model of ib_ipoib for plans, and of the refused values that apply/ stores. Written from the kernel's source
/// (drivers/infiniband/ulp/ipoib, Linux 6.1), not from this project's.
#pragma once
#include "core/plan/plan.hpp"

#include <map>

namespace nmib::test
{

class KernelModel
{
public:
    /// The limits behind an interface, which are in no fact.
    struct Limits {
        Mtu port = 4092;  ///< max_ib_mtu - 4: a higher MTU fails with EINVAL
        Mtu group = 2044; ///< mcast_mtu: a higher MTU is lowered silently
        Mtu cm = 65520;   ///< the device's maximum in connected mode
        bool refuses_connected = false;
    };

    /// Adapts facts that contradict the limits.
    KernelModel(Facts facts, std::map<int, Limits> limits);

    const Facts &facts() const noexcept { return facts_; }
    /// Does what apply/ does with the plan. Returns false if the driver refused connected mode: then plan again.
    bool apply(const Plan &plan);
    /// ipoib_set_mode from outside; false: EINVAL.
    bool set_mode(int ifindex, TransportMode mode);
    /// ipoib_change_mtu from outside; false: EINVAL.
    bool set_mtu(int ifindex, Mtu mtu) { return change_mtu(*facts_.find(ifindex), mtu); }
    /// ETHTOOL_SFEATURES from outside; false: the feature cannot be changed.
    bool set_feature(int ifindex, const FeatureName &feature, bool on);
    /// The carrier is lost, or comes with a broadcast group of this MTU. In datagram mode the kernel restores the last
    /// requested MTU, limited by the group (ipoib_mcast_join_finish).
    void lose_carrier(int ifindex) { facts_.find(ifindex)->carrier = false; }
    void join(int ifindex, Mtu group);
    void remove(int ifindex);
    /// netdev->features: connected mode drops TSO, but not the request (ipoib_fix_features).
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
