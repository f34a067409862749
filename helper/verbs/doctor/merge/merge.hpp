// SPDX-License-Identifier: LGPL-2.1-or-later
/// `nm-ib doctor --merge`.
#pragma once
#include "terminal/request.hpp"

namespace nmib::cli
{

/// Reads the reports of many hosts, and prints the problems between hosts.
OwnVerb merge_hosts;

} // namespace nmib::cli
