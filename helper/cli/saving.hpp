// SPDX-License-Identifier: LGPL-2.1-or-later
/// What nmcli says once a profile is stored.
#pragma once
#include "cli/profiles.hpp"

namespace nmib::cli
{
/// Tells of other profiles of the same name.
void warn_of_namesakes(const Profiles &profiles, NMConnection *connection);
} // namespace nmib::cli
