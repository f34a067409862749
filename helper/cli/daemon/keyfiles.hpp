// SPDX-License-Identifier: LGPL-2.1-or-later
/// Where NetworkManager's keyfiles are.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace nmib::cli
{

/// Where NetworkManager keeps them, unless nm.conf says otherwise; what is only in memory hides what is stored.
std::vector<std::string> profile_directories();
/// Would NetworkManager read a file of this name in `directory`? In /etc it takes any name but those of hidden, backup
/// and temporary files, certificates and keys; elsewhere only *.nmconnection (nm_keyfile_utils_ignore_filename,
/// nm-keyfile.c; the same from 1.42 to 1.56).
bool is_keyfile_name(const std::string &directory, std::string_view name);

} // namespace nmib::cli
