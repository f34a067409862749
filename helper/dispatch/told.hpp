// SPDX-License-Identifier: LGPL-2.1-or-later
/// The told lines of an interface between one event and the next. Those of another profile are none.
#pragma once
#include "core/told_lines.hpp"
#include "probe/rtnl.hpp"

namespace nmib
{

/// `state` is /run/NetworkManager/nm-infiniband; `uuid` the profile's.
ToldLines read_told(const std::string &state, const LinkRow &link, const std::string &uuid);
/// Where nothing can be kept, it is told again.
void keep_told(const std::string &state, const LinkRow &link, const std::string &uuid, const ToldLines &told);

} // namespace nmib
