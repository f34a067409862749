// SPDX-License-Identifier: LGPL-2.1-or-later
/// Replaces words that nmcli cannot resolve offline.
#pragma once
#include "nm/profiles.hpp"
#include "nm/property_words.hpp"

namespace nmib::cli
{

/// Replaces a port GUID as mac-address by a hardware address: NetworkManager compares only the GUID of the address.
/// Returns a line for each replacement.
Words resolve_guids(PropertyWords &words);
/// Replaces a controller's name by UUID or interface. An unknown name is unchanged: nmcli reports it.
void resolve_controller(PropertyWords &words, const Profiles &profiles);

} // namespace nmib::cli
