// SPDX-License-Identifier: LGPL-2.1-or-later
/// Reads what doctor judges.
#pragma once
#include "cli/port/inventory.hpp"
#include "core/diagnose/host.hpp"

namespace nmib::cli
{

/// The whole machine, or only what is about one port, interface or profile. An Error of kind `absent` when `word` is
/// none of these.
Result<Host> look_at_machine(const std::string &word);

/// The profiles that are about InfiniBand, or about its interfaces.
std::vector<ProfileState> look_at_profiles(const Daemon &daemon, const Inventory &all);

/// Keyfiles about InfiniBand that the daemon has not loaded. A file is skipped if another one has its UUID, or a
/// tombstone hides it. `loaded`: the files of the daemon's profiles.
std::vector<StrayFile> look_at_keyfiles(const Daemon &daemon, const Words &loaded);

/// What else runs here. Without a daemon only what needs none.
Services look_at_services(const Daemon *daemon, const Inventory &all);

} // namespace nmib::cli
