// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include "cli/daemon/bus.hpp"

#include <initializer_list>
#include <map>
#include <string>

namespace nmib::cli
{

/// What systemd says of the units that it has with these names (with "*"): "active", "inactive", "failed" ... Empty
/// with another init.
std::map<std::string, std::string> unit_states(const Bus &bus, std::initializer_list<const char *> patterns);

} // namespace nmib::cli
