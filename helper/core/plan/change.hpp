// SPDX-License-Identifier: LGPL-2.1-or-later
/// One thing to be done to one interface: a value here, a system call in apply/.
#pragma once
#include "core/plan/facts.hpp"
#include "core/plan/finding.hpp"
#include "core/plan/policy.hpp"

#include <string>
#include <variant>
#include <vector>

namespace nmib
{

struct SetMode {
    int ifindex;
    IfName link;
    TransportMode mode;
};
/// At most this: when the kernel refuses, the next lower limit there can be, and so on.
struct SetMtu {
    int ifindex;
    IfName link;
    Mtu at_most;
    TransportMode mode; ///< the mode the link is in by then
};
struct SetFeature {
    int ifindex;
    IfName link;
    FeatureName feature;
    bool on;
    std::size_t quirk; ///< index into Policy::quirks
};
using Change = std::variant<SetMode, SetMtu, SetFeature>;

/// Puts what changes have done into the facts. False if only the kernel knows that: a mode and an MTU draw more along.
bool adopt(Facts &facts, const std::vector<Change> &done) noexcept;

/// What was done, a line each, as for a log; a feature switched on many interfaces is one line.
std::vector<std::string> text(const std::vector<Change> &changes, const Policy &policy,
                              Translate translate = untranslated);

} // namespace nmib
