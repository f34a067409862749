// SPDX-License-Identifier: LGPL-2.1-or-later
/// A model of ib_ipoib for plans, and of the refused values that apply/ stores. Written from the kernel's source
/// (drivers/infiniband/ulp/ipoib, net/ipv6/addrconf.c, Linux 6.1), not from this project's. An interface has IPv6.
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
    /// The carrier is lost.
    void lose_carrier(int ifindex);
    /// The carrier comes with a broadcast group of this MTU, or a group is joined again while the carrier stays (after
    /// client re-registration). In datagram mode the kernel restores the last requested MTU, limited by the group.
    void join(int ifindex, Mtu group);
    /// The carrier comes with the same group.
    void join(int ifindex) { join(ifindex, limits_.at(ifindex).group); }
    /// NetworkManager's stage 1 takes the link down, writes the mode, and takes the link up. The carrier comes at the
    /// next join(). False: EINVAL.
    bool restart(int ifindex, std::optional<TransportMode> mode);
    /// /proc/sys/net/ipv6/conf/IF/mtu; 0: the interface has no IPv6, because its MTU is less than 1280.
    Mtu ip6_mtu(int ifindex) const { return hidden_.at(ifindex).ip6; }
    /// False: EINVAL.
    bool set_ip6_mtu(int ifindex, Mtu mtu);
    /// disable_ipv6 is set to 1 and back to 0.
    void restart_ip6(int ifindex);
    unsigned carrier_changes(int ifindex) const { return hidden_.at(ifindex).carrier_changes; }
    void remove(int ifindex);
    /// netdev->features: connected mode drops TSO, but not the request (ipoib_fix_features).
    bool active(const Link &link, const FeatureName &feature) const noexcept;

private:
    /// What the kernel keeps beside the facts.
    struct Hidden {
        Mtu asked;                    ///< priv->admin_mtu
        Mtu ip6;                      ///< inet6_dev->cnf.mtu6
        bool ip6_ready = true;        ///< IF_READY
        unsigned carrier_changes = 3; ///< as in SysTree
    };
    bool change_mtu(Link &link, Mtu mtu);
    bool driver_changes_mtu(Link &link, Mtu mtu);
    void set_carrier(Link &link, bool on);
    void raise_mtu(Link &link, Mtu at_most, TransportMode rungs);
    void remember(const Link &link, TransportMode mode);
    void recall();

    Facts facts_;
    std::map<int, Limits> limits_;
    std::map<int, std::pair<TransportMode, Mtu>> ceilings_;
    std::map<int, Hidden> hidden_;
};

} // namespace nmib::test
