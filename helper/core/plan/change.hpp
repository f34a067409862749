// SPDX-License-Identifier: LGPL-2.1-or-later
/// A change of one interface: a value here, a system call in helper/apply.
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
/// Sets an MTU. If the kernel refuses `at_most`, tries the next lower possible limit, and so on.
struct SetMtu {
    int ifindex;
    IfName link;
    Mtu at_most;
    TransportMode mode; ///< the link's mode at this step
    Mtu ipv6 = 0;       ///< the profile's IPv6 MTU, which stays; 0: none
};
struct SetFeature {
    int ifindex;
    IfName link;
    FeatureName feature;
    bool on;
    std::size_t quirk; ///< index into Policy::quirks
};
using Change = std::variant<SetMode, SetMtu, SetFeature>;

/// Applies changes to the facts. Returns false if the facts must be read again: a mode or an MTU has side effects.
bool adopt(Facts &facts, const std::vector<Change> &done) noexcept;

/// Describes changes that were made, for a log: a line each; one feature on several interfaces is one line.
std::vector<std::string> text(const std::vector<Change> &changes, const Policy &policy,
                              Translate translate = untranslated);

} // namespace nmib
