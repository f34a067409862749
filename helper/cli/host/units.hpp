// SPDX-License-Identifier: LGPL-2.1-or-later
/// What systemd says about a unit.
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// A property, as systemctl shows it; empty where nobody answers.
std::string unit_property(const std::string &unit, const char *property);
/// There is a file of this name where systemd looks for units.
bool has_unit_file(const std::string &name);

} // namespace nmib::cli
