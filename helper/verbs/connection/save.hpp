// SPDX-License-Identifier: LGPL-2.1-or-later
/// Stores profiles, with nmcli's messages.
#pragma once
#include "nm/profiles.hpp"
#include "verbs/connection/advice.hpp"

#include <functional>

namespace nmib::cli
{

/// Warns, like nmcli 1.44 and later, of a daemon of another version: after an upgrade the old daemon may still run.
void warn_of_version(const Daemon &daemon);
/// Adds a profile, on disk (`save`) or only in memory.
Status add_profile(const Profiles &profiles, NMConnection *connection, bool save);
void print_added(const Profiles &profiles, NMConnection *connection);
void warn_of_namesakes(const Profiles &profiles, NMConnection *connection);

/// Calls `store`, which saves the profile. With --with-parent, first adds a profile for the parent if none exists; if
/// `store` fails, removes the added profile.
Status store_with_parent(const Draft &draft, const Profiles &profiles, const Options &options, bool save,
                         const std::function<Status()> &store);

} // namespace nmib::cli
