// SPDX-License-Identifier: LGPL-2.1-or-later
/// The administrator's decisions for the machine: nm-ib.conf(5) and the quirk files.
#pragma once
#include "core/plan/quirk.hpp"

namespace nmib
{

struct Policy {
    enum class Impossible { fall_back, fail };
    Impossible connected_impossible = Impossible::fall_back; ///< reaction to an impossible connected mode
    bool plugin = true;                                      ///< the device plugin is enabled
    bool remove_leftovers = true;                            ///< removes P_Key children that NetworkManager left behind
    bool debug = false;                                      ///< also logs why nothing was done
    std::vector<Quirk> quirks;
};

} // namespace nmib
