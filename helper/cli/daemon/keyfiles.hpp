// SPDX-License-Identifier: LGPL-2.1-or-later
/// What NetworkManager's keyfiles say of its profiles: asking the daemon for thousands of profiles takes seconds.
#pragma once
#include "cli/daemon/profile_ref.hpp"

#include <optional>
#include <string_view>

namespace nmib::cli
{

/// Where NetworkManager keeps them, unless nm.conf says otherwise; what is only in memory hides what is stored.
std::vector<std::string> profile_directories();
/// Would NetworkManager read a file of this name in `directory`? In /etc it takes any name but those of hidden, backup
/// and temporary files, certificates and keys; elsewhere only *.nmconnection (nm_keyfile_utils_ignore_filename,
/// nm-keyfile.c; the same from 1.42 to 1.56).
bool is_keyfile_name(const std::string &directory, std::string_view name);
/// The profiles of the keyfiles in the directories that NetworkManager would load; earlier directories win. Nothing
/// when one cannot be read, or has no good uuid or no type: then only the daemon knows.
std::optional<std::vector<ProfileRef>> scan_keyfiles(const std::vector<std::string> &directories);
/// The same where NetworkManager keeps them.
std::optional<std::vector<ProfileRef>> scan_keyfiles();

} // namespace nmib::cli
