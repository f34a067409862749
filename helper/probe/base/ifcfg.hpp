// SPDX-License-Identifier: LGPL-2.1-or-later
/// Profiles in ifcfg files of EL's network scripts, parsed like NetworkManager's plugin (nms-ifcfg-rh-reader.c,
/// shvar.c). EL 9 has the plugin; EL 10 and Fedora do not.
#pragma once
#include "probe/base/keyfile.hpp"

#include <string_view>

namespace nmib
{

constexpr const char *ifcfg_directory = "/etc/sysconfig/network-scripts";

/// Returns true if NetworkManager reads a profile from a file of this name (nms-ifcfg-rh-utils.c,
/// utils_should_ignore_file). A name with a colon is an alias of another file.
bool is_ifcfg_name(std::string_view name);
/// Returns an equivalent keyfile: the settings for InfiniBand, and the permissions. Like NetworkManager, ignores lines
/// without an assignment, and values that only a shell could evaluate; USERS with such a value makes the profile
/// private. Error: NetworkManager refuses the file for its P_Key. `name` is the file's name.
Result<Keyfile> parse_ifcfg(const std::string &text, const std::string &name);

} // namespace nmib
