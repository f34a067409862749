// SPDX-License-Identifier: LGPL-2.1-or-later
/// The udev rules that give names to interfaces.
#pragma once
#include "core/base/result.hpp"
#include "core/name/naming_world.hpp"

namespace nmib
{

/// Fills `rules` and `link_files_off` of a world whose `ports` are there. In udev's order: by file name; of files with
/// one name that of the first directory. Not among them: a line that passes on the name of a .link file
/// (80-net-setup-link.rules), and what is not for network interfaces. A file that cannot be read is an error: nobody
/// knows then who names a port.
Result<void> read_udev_rules(NamingWorld &world, const std::string &root = "");

} // namespace nmib
