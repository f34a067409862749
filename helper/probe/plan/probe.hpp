// SPDX-License-Identifier: LGPL-2.1-or-later
/// Reads Facts from the kernel: only values that the plan for one interface may need.
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
    std::string devices = "/run/NetworkManager/devices"; ///< NetworkManager's notes on devices
    std::string proc = "/proc";
};

class Probe
{
public:
    static Result<Probe> open(const ProbePaths &paths = {});

    enum class Depth {
        link,    ///< without offloads and children: enough to decide mode, MTU and partition
        all,     ///< without the answers of the firmware
        firmware ///< also the LID of the subnet manager and, for a child, the port's P_Key table: perhaps slow
    };
    /// Reads the interface, its port's interface and device, the offloads that quirks cover, and all children of a port
    /// if quirks cover them. Unreadable values: Link::unread. Error `absent`: no interface; `unsupported`: not
    /// InfiniBand.
    Result<Facts> around(int ifindex, const Policy &policy, Depth depth = Depth::all);
    Result<Facts> around(const IfName &name, const Policy &policy, Depth depth = Depth::all);
    /// Reads the P_Key table of the port. `around` skips this table for the port's own interface.
    void read_pkeys(Facts &facts) const;
    void read_sm_lid(Facts &facts) const;

    Rtnl &rtnl() noexcept { return rtnl_; }
    Ethtool &ethtool() noexcept { return ethtool_; }
    const Sysfs &sysfs() const noexcept { return sysfs_; }
    const ProbePaths &paths() const noexcept { return paths_; }

private:
    Probe(Sysfs s, Rtnl r, Ethtool e, ProbePaths paths) :
        sysfs_(std::move(s)), rtnl_(std::move(r)), ethtool_(std::move(e)), paths_(std::move(paths))
    {
    }
    Result<Facts> around(const LinkRow &row, const Policy &policy, Depth depth);
    Result<Facts> read_facts(const LinkRow &row, const Policy &policy, Depth depth);
    /// Returns true if a value was unreadable because the interface is gone or renamed.
    bool has_moved(const Facts &facts);
    Result<void> add(Facts &facts, const LinkRow &row);
    Result<void> add_children(Facts &facts, int parent);
    void add_device(Facts &facts, Link &root);
    void read_features(Facts &facts, const Policy &policy);

    Sysfs sysfs_;
    Rtnl rtnl_;
    Ethtool ethtool_;
    ProbePaths paths_;
};

} // namespace nmib
