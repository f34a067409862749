// SPDX-License-Identifier: LGPL-2.1-or-later
/// Reads the machine for `nm-ib doctor`.
#pragma once
#include "core/doctor/diagnose.hpp"

#include <string>

namespace nmib::cli
{

/// Reads the whole machine, or only one port, interface or profile. Error `absent`: `word` matches nothing.
Result<Host> look_at_machine(const std::string &word);

} // namespace nmib::cli
