// SPDX-License-Identifier: LGPL-2.1-or-later
/// Profiles of ports that have a name of ours.
#pragma once
#include "cli/fabric/draft.hpp"

namespace nmib::cli
{

/// Where a new or changed profile means such a port, it gets the port's name: for its mac-address, and for an
/// alternative name, which NetworkManager does not look at. A port that gets its name only at the next boot keeps its
/// present one in the profile. The lines say what was done, and what is still to be done. Nothing is asked of the
/// machine where nm-ib gave no name.
Words take_stable_names(Draft &draft);

} // namespace nmib::cli
