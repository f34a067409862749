// SPDX-License-Identifier: LGPL-2.1-or-later
/// The brain: from what is and what is wanted to what must be done, in order. Pure: the same input gives the same plan,
/// whoever asks. Applying a plan and planning again gives no more changes; that is how plugin and dispatcher never
/// fight.
#pragma once
#include "core/plan/change.hpp"
#include "core/plan/facts.hpp"
#include "core/plan/finding.hpp"
#include "core/plan/policy.hpp"

#include <optional>
#include <vector>

namespace nmib
{

struct Plan {
    std::vector<Change> changes; ///< mode, then MTU, then features: each undoes what an earlier order would have done
    std::vector<Finding> findings;
};

/// The interface an intent is about must be among the facts; an empty plan otherwise. Children of a port are treated
/// (by quirks) when they are among the facts. Source of the order: ipoib_main.c, ipoib_set_mode forces the MTU and
/// recomputes the features.
Plan plan(const Facts &facts, const Intent &intent, const Policy &policy);

/// Whether connected mode has to be tried on this interface before anybody counts on it. Without a quirk that says so
/// the address decides, and NetworkManager writes the mode.
bool connected_is_tried(const Facts &facts, const Link &link, const Policy &policy);

/// Which offloads the policy's quirks speak of, for interfaces of this HCA: what a probe has to read.
std::vector<FeatureName> features_of_interest(const Facts &facts, const Link &link, const Policy &policy);

} // namespace nmib
