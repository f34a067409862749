// SPDX-License-Identifier: LGPL-2.1-or-later
/// Plans the changes from facts, intent and policy. Pure: the same input gives the same plan for every caller. After a
/// plan is applied, planning again gives no changes, so plugin and dispatcher helper never conflict.
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
    std::vector<Change> changes; ///< mode, MTU, features: a mode resets the others (ipoib_main.c, ipoib_set_mode)
    std::vector<Finding> findings;
};

/// Plans for the interface of the intent; empty if the facts do not have it. Quirks also apply to those children in the
/// facts that have no active profile.
Plan plan(const Facts &facts, const Intent &intent, const Policy &policy);

/// Returns true if a quirk says that connected mode must be tried before use. Otherwise the address decides, and
/// NetworkManager writes the mode.
bool connected_is_tried(const Facts &facts, const Link &link, const Policy &policy);

/// The offloads that matching quirks name. A probe has to read them.
std::vector<FeatureName> features_of_interest(const Facts &facts, const Link &link, const Policy &policy);

} // namespace nmib
