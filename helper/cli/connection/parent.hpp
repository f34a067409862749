// SPDX-License-Identifier: LGPL-2.1-or-later
/// The profile that brings up the parent of a P_Key profile.
#pragma once
#include "cli/connection/draft.hpp"
#include "cli/daemon/profiles.hpp"

namespace nmib::cli
{

/// Does some profile bring up the parent? True for one that has no P_Key or no parent.
bool has_parent_profile(const Draft &draft, const Profiles &profiles);
/// One that brings up the parent and does nothing else.
Result<Object<NMConnection>> parent_profile(const Draft &child, const Profiles &profiles);

} // namespace nmib::cli
