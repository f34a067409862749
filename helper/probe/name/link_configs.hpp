// SPDX-License-Identifier: LGPL-2.1-or-later
/// The .link files that udev reads.
#pragma once
#include "core/base/result.hpp"
#include "core/name/link_config.hpp"

namespace nmib
{

/// In udev's order: by file name; of files with one name that of the first directory. A masked one (empty, a link to
/// /dev/null or to nothing) is not among them. Drop-ins (NAME.link.d/\*.conf) are added to theirs; one that udev
/// refuses as a whole has no entries. A file that cannot be read is an error: nobody knows then who wins.
Result<std::vector<LinkConfig>> read_link_configs(const std::string &root = "");

} // namespace nmib
