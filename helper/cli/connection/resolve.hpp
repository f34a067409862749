// SPDX-License-Identifier: LGPL-2.1-or-later
/// Words that nmcli, offline, cannot understand: they are given to it in words that it can.
#pragma once
#include "cli/daemon/profiles.hpp"
#include "cli/nmcli/property_words.hpp"

namespace nmib::cli
{

/// A port GUID as a mac-address becomes a hardware address with that GUID, of which NetworkManager compares nothing
/// else. The lines say so.
Words resolve_guids(PropertyWords &words);
/// A controller's name becomes its profile. One that no profile has stays as it is: nmcli reports it.
void resolve_controller(PropertyWords &words, const Profiles &profiles);

} // namespace nmib::cli
