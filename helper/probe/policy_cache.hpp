// SPDX-License-Identifier: LGPL-2.1-or-later
/// For a process that lives long: the policy, read again only when something it depends on has changed.
#pragma once
#include "probe/conf.hpp"
#include "probe/stamp.hpp"

namespace nmib
{

class PolicyCache
{
public:
    explicit PolicyCache(PolicyPaths paths) : paths_(std::move(paths)) {}
    /// Valid until the next call.
    const PolicyRead &read();

private:
    /// Zeros for what is not there.
    std::vector<Stamp> stamps() const;

    PolicyPaths paths_;
    PolicyRead last_;
    std::vector<Stamp> seen_; ///< of last_.paths, taken before they were read
};

} // namespace nmib
