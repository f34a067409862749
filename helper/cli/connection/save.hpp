// SPDX-License-Identifier: LGPL-2.1-or-later
/// Storing a profile, and what nmcli says then.
#pragma once
#include "cli/connection/advice.hpp"
#include "cli/daemon/profiles.hpp"

#include <functional>

namespace nmib::cli
{

/// What nmcli of 1.44 and later says when the daemon is of another version: after an upgrade it may still be the one
/// before.
void warn_of_version(const Daemon &daemon);
/// On disk, or in memory only.
std::optional<Failure> add_profile(const Profiles &profiles, NMConnection *connection, bool save);
/// That it was added, and as whose namesake.
void tell_added(const Profiles &profiles, NMConnection *connection);
/// Warns of other profiles of the same name.
void warn_of_namesakes(const Profiles &profiles, NMConnection *connection);

/// Stores the profile by `store`, and before that one that brings up the parent, where --with-parent asks for it and
/// there is none. When `store` fails that goes again.
std::optional<Failure> store_with_parent(const Draft &draft, const Profiles &profiles, const Options &options,
                                         bool save, const std::function<std::optional<Failure>()> &store);

} // namespace nmib::cli
