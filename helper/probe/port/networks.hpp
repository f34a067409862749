// SPDX-License-Identifier: LGPL-2.1-or-later
/// The IPv4 networks that interfaces are in.
#pragma once
#include "core/doctor/host.hpp"
#include "probe/base/dir.hpp"

#include <span>

namespace nmib
{

/// Of these interfaces. `proc` is /proc; what cannot be read of a setting there counts as the kernel's default.
Result<std::vector<IpNetwork>> read_networks(const Dir &proc, std::span<const std::string> interfaces);

} // namespace nmib
