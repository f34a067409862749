// SPDX-License-Identifier: LGPL-2.1-or-later
/// NetworkManager loads plugins from a directory named after its exact version. The plugin has a directory of its own;
/// a symlink, made before each start of the daemon, works also after upgrades of NetworkManager.
#pragma once
#include "core/base/result.hpp"

#include <string>
#include <vector>

namespace nmib
{

struct PluginPaths {
    std::string object; ///< the plugin; if it is missing, put_symlink() removes all symlinks
    std::string libdir; ///< has one directory per version of NetworkManager
};

/// One line per symlink made or removed.
using Done = std::vector<std::string>;

/// Makes a symlink to the plugin in <libdir>/<version>. Removes this project's symlinks from other versions, and the
/// directories that become empty. Error: another file has the symlink's name.
Result<Done> put_symlink(const PluginPaths &paths, const std::string &version);
/// Removes all symlinks of this project, for an uninstall.
Result<Done> remove_symlinks(const PluginPaths &paths);

/// Returns true for the output of `NetworkManager --version` that is a safe directory name: at most 64 printable ASCII
/// characters without space and slash, the first a digit. "1.42.4", or "1.48.10-5.el9_5" with -Ddist_version.
bool is_version(const std::string &text) noexcept;

/// Runs `NetworkManager --version`: at most 30 s until the output, then 30 s until the end. Error: no version.
Result<std::string> ask_version(const std::string &binary);

} // namespace nmib
