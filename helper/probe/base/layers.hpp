// SPDX-License-Identifier: LGPL-2.1-or-later
/// Files that lie in several directories, as systemd has its configuration: what an earlier directory has hides the
/// file of the same name in a later one.
#pragma once
#include "core/base/result.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// Paths by file name, which is the order in which they count. Directories that are not there hold nothing;
/// one that holds more than `most` files is an error.
Result<std::map<std::string, std::string>> layered_files(std::span<const std::string> directories,
                                                         std::string_view ending, std::size_t most = 65536);
/// systemd's directories for `folder` below `root`, the one that counts most first.
std::vector<std::string> layers_of(const std::string &folder, const std::string &root);
/// The text of such a file, wherever a link leads: udev opens the path as it is. Empty when it is masked (empty, or a
/// link to /dev/null), or a link to nothing.
Result<std::string> read_layered(const std::string &path, std::size_t limit);

} // namespace nmib
