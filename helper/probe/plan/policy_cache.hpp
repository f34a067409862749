// SPDX-License-Identifier: LGPL-2.1-or-later
/// For a process that lives long: the policy, read again only when something it depends on has changed.
#pragma once
#include "probe/plan/conf.hpp"

#include <array>
#include <cstdint>

namespace nmib
{

class PolicyCache
{
public:
    explicit PolicyCache(PolicyPaths paths) : paths_(std::move(paths)) {}
    /// Valid until the next call.
    const PolicyRead &read();

private:
    /// What tells a file from what it was before: device, inode, size, and the times of last modification and last
    /// change in nanoseconds. Nobody can set the last. Zeros for what is not there.
    using Stamp = std::array<std::uint64_t, 5>;
    std::vector<Stamp> stamps() const;

    PolicyPaths paths_;
    PolicyRead last_;
    std::vector<Stamp> seen_; ///< of last_.paths, taken before they were read
};

} // namespace nmib
