// SPDX-License-Identifier: LGPL-2.1-or-later
/// The plugin's object lives in a directory of our own; NetworkManager looks into one that carries its exact version. A
/// link there, made before each start of the daemon, survives the daemon's upgrades.
#pragma once
#include "core/result.hpp"

#include <string>
#include <vector>

namespace nmib
{

struct LinkPaths {
    std::string object; ///< what the link points to; it exists, or all links go
    std::string libdir; ///< holds one directory per version of NetworkManager
};

/// "1.42.4" and the like: what `NetworkManager --version` prints, fit to be the name of a directory.
bool is_version(const std::string &text) noexcept;

/// One line for each link made or removed.
using Done = std::vector<std::string>;

/// Links the object into <libdir>/<version> and removes our links from all other versions, with the directories that
/// thereby become empty. A file of the same name that is not our link stays, and is an Error.
Result<Done> relink(const LinkPaths &paths, const std::string &version);
/// Removes every link of ours, for an uninstall.
Result<Done> unlink_all(const LinkPaths &paths);

/// Asks the daemon's binary for its version (NetworkManager --version); a few seconds at most.
Result<std::string> ask_version(const std::string &binary);

} // namespace nmib
