// SPDX-License-Identifier: LGPL-2.1-or-later
/// Offload features through SIOCETHTOOL, which works on every kernel and in every sandbox with a socket.
#pragma once
#include "core/base/result.hpp"
#include "core/ib/ifname.hpp"
#include "core/plan/feature.hpp"
#include "probe/base/dir.hpp"

#include <vector>

namespace nmib
{

class Ethtool
{
public:
    static Result<Ethtool> open();
    /// Reads these features; a feature unknown to the kernel is not available. SIOCETHTOOL uses the name. Error of kind
    /// `absent`: the name did not belong to interface `ifindex` all the time.
    Result<std::vector<Feature>> features(const IfName &link, int ifindex, const std::vector<FeatureName> &names);
    /// Requests a feature on or off. Error of kind `refused`: the kernel keeps the other state; `absent`: as above,
    /// checked directly before the change.
    Result<void> set(const IfName &link, int ifindex, const FeatureName &feature, bool on);
    /// Returns true if the interface sends or obeys pause frames (IEEE 802.3x); false if unknown.
    bool has_pause(const IfName &link) const noexcept;

private:
    explicit Ethtool(UniqueFd fd) : fd_(std::move(fd)) {}
    bool call(const IfName &link, void *command) const noexcept;
    Result<void> is_still(const IfName &link, int ifindex) const;
    /// Reads the kernel's feature names. Their order is the bit number, the same for every interface.
    Result<void> learn_names(const IfName &link);
    std::optional<std::size_t> bit(const FeatureName &feature) const noexcept;

    UniqueFd fd_;
    std::vector<std::string> names_;
};

} // namespace nmib
