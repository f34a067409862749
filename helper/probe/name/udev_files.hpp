// SPDX-License-Identifier: LGPL-2.1-or-later
/// The .link files and rules that udev reads.
#pragma once
#include "core/base/result.hpp"
#include "core/name/import.hpp"
#include "core/name/link_file.hpp"
#include "core/name/naming_world.hpp"

namespace nmib
{

/// Returns the .link files in udev's order: by file name, from the first directory with that name, with their drop-ins
/// (NAME.link.d/\*.conf). Skips masked files (empty, or a link to /dev/null or to nothing). A file that udev refuses
/// has no entries. Error: a file cannot be read, so the winner is unknown.
Result<std::vector<LinkConfig>> read_link_configs(const std::string &root = "");

/// Fills `rules`, `link_files_off`, `rdma_rules` and `earlier_renames` of a world that has its `ports`, in udev's
/// order, as above. Skips lines that pass on the name of a .link file (80-net-setup-link.rules), and lines for other
/// subsystems. Error: a file cannot be read, so the name of a port is unknown.
Result<void> read_udev_rules(NamingWorld &world, const std::string &root = "");

/// Returns the files that give ports fragile names, in order of priority: rules in /etc/udev/rules.d, then .link files.
Result<std::vector<FragileFile>> read_fragile(std::span<const LinkConfig> configs, const std::string &root = "");

} // namespace nmib
