// SPDX-License-Identifier: LGPL-2.1-or-later
/// Finds the files that give ports fragile names.
#pragma once
#include "core/base/result.hpp"
#include "core/name/import.hpp"

namespace nmib
{

/// Among `configs`, the rules in /etc/udev/rules.d and the profiles of the initscripts, in the order in which they
/// count: a rule before a .link file before a profile.
Result<std::vector<FragileFile>> read_fragile(std::span<const LinkConfig> configs, const std::string &root = "");

} // namespace nmib
