// SPDX-License-Identifier: LGPL-2.1-or-later
/// What nmcli says of a profile that is stored.
#pragma once
#include "cli/daemon/profiles.hpp"

namespace nmib::cli
{
/// Warns of other profiles of the same name and of gateways out of reach.
void warn_of_stored(const Profiles &profiles, NMConnection *connection);
/// That it was added, and as whose namesake.
void tell_added(const Profiles &profiles, NMConnection *connection);
Failure failed_to_add(NMConnection *connection, const Error &why);
} // namespace nmib::cli
