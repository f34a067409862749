// SPDX-License-Identifier: LGPL-2.1-or-later
/// From kernel to Facts. Reads only what the plan for one interface can need.
#pragma once
#include "core/plan/policy.hpp"
#include "probe/base/rtnl.hpp"
#include "probe/plan/ethtool.hpp"
#include "probe/plan/state.hpp"
#include "probe/plan/sysfs.hpp"

namespace nmib
{

struct ProbePaths {
    std::string sysfs = "/sys";
    std::string state = "/run/NetworkManager/nm-infiniband";
    std::string devices = "/run/NetworkManager/devices"; ///< what NetworkManager notes on each of its devices
};

class Probe
{
public:
    static Result<Probe> open(const ProbePaths &paths = {});

    enum class Depth {
        link,      ///< no offloads and no children: enough to decide on mode and partition
        all,       ///< but for the P_Key table
        with_pkeys ///< that of a child's port too. It is a file for each entry, and each may be a question to the HCA's
                   ///< firmware: not for a daemon that others wait for
    };
    /// The interface, its port's interface and HCA; the offloads that matching quirks speak of; and all children of a
    /// port whose quirks reach them, with what a quirk needs of them. What could not be read of that is in
    /// Link::unread. An Error of kind `absent` when there is no such interface, `unsupported` when it is not
    /// InfiniBand.
    Result<Facts> around(int ifindex, const Policy &policy, Depth depth = Depth::all);
    Result<Facts> around(const IfName &name, const Policy &policy, Depth depth = Depth::all);
    /// The P_Key table of one of the ports among `facts`: `around` leaves it out for a port's own interface.
    void read_pkeys(const Facts &facts, Port &port) const;

    Rtnl &rtnl() noexcept { return rtnl_; }
    Ethtool &ethtool() noexcept { return ethtool_; }
    const Sysfs &sysfs() const noexcept { return sysfs_; }

private:
    Probe(Sysfs s, Rtnl r, Ethtool e, ProbePaths paths) :
        sysfs_(std::move(s)), rtnl_(std::move(r)), ethtool_(std::move(e)), paths_(std::move(paths))
    {
    }
    Result<Facts> around(const LinkRow &row, const Policy &policy, Depth depth);
    Result<Facts> look(const LinkRow &row, const Policy &policy, Depth depth);
    /// Could something not be read because the interface went, or has another name by now?
    bool has_moved(const Facts &facts);
    Result<void> add(Facts &facts, const LinkRow &row);
    Result<void> add_children(Facts &facts, int parent);
    void add_port(Facts &facts, Link &root);
    void read_features(Facts &facts, const Policy &policy);

    Sysfs sysfs_;
    Rtnl rtnl_;
    Ethtool ethtool_;
    ProbePaths paths_;
};

} // namespace nmib
