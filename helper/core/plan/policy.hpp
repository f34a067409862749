// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the administrator decided for the whole machine: nm-ib.conf(5) and the quirk files.
#pragma once
#include "core/plan/quirk.hpp"

#include <vector>

namespace nmib
{

struct Policy {
    enum class Impossible { fall_back, fail };
    Impossible connected_impossible = Impossible::fall_back; ///< a profile asks for connected mode where there is none
    bool plugin = true;                                      ///< the device plugin may work
    bool remove_leftovers = true; ///< P_Key children that NetworkManager made and left behind
    bool debug = false;           ///< also logs why nothing was done
    std::vector<Quirk> quirks;
};

} // namespace nmib
