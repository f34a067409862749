// SPDX-License-Identifier: LGPL-2.1-or-later
/// A profile in a file of EL's network scripts (ifcfg-NAME), as NetworkManager's plugin for them reads it
/// (nms-ifcfg-rh-reader.c, shvar.c). EL 9 has it, EL 10 and Fedora have not.
#pragma once
#include "probe/base/keyfile.hpp"

#include <string_view>

namespace nmib
{

/// Where they are.
constexpr const char *ifcfg_directory = "/etc/sysconfig/network-scripts";

/// True if NetworkManager reads a profile from a file of this name there (utils_should_ignore_file,
/// nms-ifcfg-rh-utils.c). A name with a colon is an alias of another file.
bool is_ifcfg_name(std::string_view name);
/// The keyfile that says the same: what InfiniBand needs of it, and the permissions. A line that is no
/// assignment, and a value that only a shell could evaluate, do not count, as for NetworkManager; USERS of that kind
/// makes the profile private. An Error where NetworkManager refuses the file for its P_Key. `name` is the file's.
Result<Keyfile> parse_ifcfg(const std::string &text, const std::string &name);

} // namespace nmib
