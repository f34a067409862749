// SPDX-License-Identifier: LGPL-2.1-or-later
/// What other profiles are called, read from NetworkManager's keyfiles: asking the daemon for thousands of profiles
/// takes seconds.
#pragma once
#include "cli/daemon/nameindex.hpp"

namespace nmib::cli
{

/// Every keyfile in the directories, of which earlier ones win. Nothing when one cannot be read: then only the daemon
/// knows. What is read is kept in the index, if it is worth that, and found there by the next.
std::optional<Names> scan_names(const std::vector<std::string> &directories, NameIndex index);
/// The same where NetworkManager keeps them.
std::optional<Names> scan_names();
/// The uuid in the file that NetworkManager would have made for a profile of this name, if it is one. A guess: there
/// may be others of the name.
std::optional<std::string> guess_uuid(const std::vector<std::string> &directories, const std::string &id);
/// Where NetworkManager keeps them, unless nm.conf says otherwise; what is only in memory hides what is stored.
std::vector<std::string> profile_directories();

} // namespace nmib::cli
