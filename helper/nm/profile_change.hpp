// SPDX-License-Identifier: LGPL-2.1-or-later
/// Changes stored profiles: all, or none.
#pragma once
#include "nm/daemon.hpp"

#include <span>

namespace nmib::cli
{

struct ProfileChange {
    std::string id, uuid, path; ///< path: D-Bus object
    Object<NMConnection> before, after;
    std::string to_undo; ///< the command that undoes the change
};

/// Returns why NetworkManager cannot store a changed profile permanently in its file; empty if it can.
std::string hindrance_of(const Daemon &daemon, const std::string &path, NMConnection *profile);

/// Stores the profiles. After an Error all profiles are as before, or the Error lists those that are not.
Result<void> store(const Daemon &daemon, std::span<const ProfileChange> changes);
/// Restores the profiles, last first. Returns a line for each profile that cannot be restored.
Words restore(const Daemon &daemon, std::span<const ProfileChange> changes);

} // namespace nmib::cli
