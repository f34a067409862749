// SPDX-License-Identifier: LGPL-2.1-or-later
/// The .link files that udev reads.
#pragma once
#include "core/base/result.hpp"
#include "core/name/import.hpp"
#include "core/name/link_file.hpp"
#include "core/name/naming_world.hpp"

namespace nmib
{

/// In udev's order: by file name; of files with one name that of the first directory. A masked one (empty, a link to
/// /dev/null or to nothing) is not among them. Drop-ins (NAME.link.d/\*.conf) are added to theirs; one that udev
/// refuses as a whole has no entries. A file that cannot be read is an error: the winner is not known then.
Result<std::vector<LinkConfig>> read_link_configs(const std::string &root = "");

// The udev rules that give names to interfaces.

/// Fills `rules` and `link_files_off` of a world whose `ports` are there. In udev's order: by file name; of files with
/// one name that of the first directory. Not among them: a line that passes on the name of a .link file
/// (80-net-setup-link.rules), and what is not for network interfaces. A file that cannot be read is an error: nobody
/// knows then who names a port.
Result<void> read_udev_rules(NamingWorld &world, const std::string &root = "");

// Finds the files that give ports fragile names.

/// Among `configs`, the rules in /etc/udev/rules.d and the profiles of the initscripts, in the order in which they
/// count: a rule before a .link file before a profile.
Result<std::vector<FragileFile>> read_fragile(std::span<const LinkConfig> configs, const std::string &root = "");

} // namespace nmib
