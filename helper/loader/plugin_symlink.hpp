// SPDX-License-Identifier: LGPL-2.1-or-later
/// The plugin lies in a directory of our own; NetworkManager looks into one that carries its exact version. A symlink
/// there, put before each start of the daemon, survives the daemon's upgrades.
#pragma once
#include "core/base/result.hpp"

#include <string>
#include <vector>

namespace nmib
{

struct PluginPaths {
    std::string object; ///< the plugin, which the symlinks point to; it exists, or all of them go
    std::string libdir; ///< holds one directory per version of NetworkManager
};

/// One line for each symlink made or removed.
using Done = std::vector<std::string>;

/// Puts a symlink to the plugin into <libdir>/<version> and removes ours from all other versions, with the directories
/// that thereby become empty. A file of the same name that is not our symlink stays, and is an Error.
Result<Done> put_symlink(const PluginPaths &paths, const std::string &version);
/// Removes every symlink of ours, for an uninstall.
Result<Done> remove_symlinks(const PluginPaths &paths);

// Which NetworkManager is about to start.

/// What `NetworkManager --version` prints, fit to be the name of a directory: at most 64 printable characters of ASCII
/// without a space or a slash, the first a digit. "1.42.4", or, where a distribution sets -Ddist_version,
/// "1.48.10-5.el9_5".
bool is_version(const std::string &text) noexcept;

/// Asks the daemon's binary for its version (NetworkManager --version). It may be silent for 30 s, and take 30 s
/// more to end. An answer that is no version is an Error.
Result<std::string> ask_version(const std::string &binary);

} // namespace nmib
