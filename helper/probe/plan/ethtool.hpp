// SPDX-License-Identifier: LGPL-2.1-or-later
/// Offload features through SIOCETHTOOL: works on every kernel and in every sandbox that has a socket.
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
    /// The state of these features; one that the kernel does not know is not available. The kernel is asked by name:
    /// an Error of kind `absent` when that is not the name of interface `ifindex`, or was not all the time.
    Result<std::vector<Feature>> features(const IfName &link, int ifindex, const std::vector<FeatureName> &names);
    /// Asks for a feature to be on or off. An Error of kind `refused` when the kernel keeps it otherwise, `absent` as
    /// above: the number is compared right before.
    Result<void> set(const IfName &link, int ifindex, const FeatureName &feature, bool on);

private:
    explicit Ethtool(UniqueFd fd) : fd_(std::move(fd)) {}
    bool call(const IfName &link, void *command) const noexcept;
    Result<void> is_still(const IfName &link, int ifindex) const;
    /// The kernel's feature names; their order is the bit number, the same for every interface of one kernel.
    Result<void> learn_names(const IfName &link);
    std::optional<std::size_t> bit(const FeatureName &feature) const noexcept;

    UniqueFd fd_;
    std::vector<std::string> names_;
};

} // namespace nmib
