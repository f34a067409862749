// SPDX-License-Identifier: LGPL-2.1-or-later
/// The modules that the running kernel can load.
#pragma once
#include "core/result.hpp"

#include <set>

namespace nmib
{

/// By their names as the kernel has them, those that are built in too.
Result<std::set<std::string>> read_known_modules();

} // namespace nmib
