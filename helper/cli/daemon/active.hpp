// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include "cli/daemon/daemon.hpp"

namespace nmib::cli
{

/// The UUID of the profile that is active on an interface, or on its way there.
std::optional<std::string> active_profile(const Daemon &daemon, const std::string &interface);

} // namespace nmib::cli
