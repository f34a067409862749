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

} // namespace nmib
