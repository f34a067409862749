// SPDX-License-Identifier: LGPL-2.1-or-later
/// The profile that brings up the parent of a P_Key profile.
#pragma once
#include "cli/daemon/profiles.hpp"
#include "cli/draft.hpp"

namespace nmib::cli
{

/// Does some profile bring up the parent? True for one that has no P_Key or no parent.
bool has_parent_profile(const Draft &draft, const Profiles &profiles);

/// Stores the profile by `store`, and before that one that brings up the parent and does nothing else, where
/// --with-parent asks for it and there is none. When `store` fails that goes again.
std::optional<Failure> store_with_parent(const Draft &draft, const Profiles &profiles, const Options &options,
                                         bool save, const std::function<std::optional<Failure>()> &store);

} // namespace nmib::cli
