// SPDX-License-Identifier: LGPL-2.1-or-later
/// Files of other tools that speak of InfiniBand interfaces, and are not read as their author thinks.
#pragma once
#include "core/doctor/host.hpp"
#include "probe/base/dir.hpp"

#include <set>

namespace nmib
{

/// @param etc, proc, usr /etc, /proc and /usr
/// @param interfaces IPoIB interfaces
/// @param loaded the files that NetworkManager has profiles of
std::vector<StrayFile> stray_files(const Dir &etc, const Dir &proc, const Dir &usr,
                                   const std::set<std::string> &interfaces, const std::set<std::string> &loaded);

} // namespace nmib
