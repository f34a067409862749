// SPDX-License-Identifier: LGPL-2.1-or-later
/// Data Center Bridging of an interface.
#pragma once
#include "core/doctor/diagnose.hpp"

#include <string>

namespace nmib::cli
{

/// Reads Data Center Bridging of an interface with iproute2's program dcb, if the machine has this program.
Dcb read_dcb(const IfName &interface);
/// Parses the output of `dcb -j app show` and `dcb -j pfc show`; what is empty or invalid is unknown.
Dcb parse_dcb(const std::string &applications, const std::string &flow_control);

} // namespace nmib::cli
