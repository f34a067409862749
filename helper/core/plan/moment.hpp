// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which part of a profile may be applied, and when. Plugin, dispatcher helper and command all ask this one table.
/// NetworkManager writes transport mode and MTU itself; what is left for this project is what NetworkManager cannot do.
/// docs/changes.md shows the table to administrators, and a test compares both.
#pragma once
#include "core/plan/facts.hpp"

namespace nmib
{

/// The moments at which this project looks at an interface.
enum class Moment {
    prepare,      ///< plugin: before NetworkManager writes the mode
    config,       ///< plugin: the mode is written, the link is up again, no address is set yet
    activated,    ///< plugin: NetworkManager has set the MTU, also after Reapply and `nmcli device modify`
    carrier,      ///< plugin: the carrier came, went or changed while the profile is active
    disconnected, ///< plugin: the profile is no longer active
    dispatched,   ///< helper without the plugin: pre-up, up and reapply
    by_hand,      ///< command: `nm-ib apply` on an interface with an active profile
    forecast      ///< command: a whole activation, NetworkManager's part of it included
};

/// What a moment's rule depends on.
struct Situation {
    bool assumed = false;  ///< NetworkManager took over the activation of an earlier daemon, and leaves mode and MTU
    Mtu mtu = 0;           ///< of the interface
    bool enhanced = false; ///< enhanced IPoIB, whose carrier goes for a moment with each change of the MTU
    std::optional<Mtu> before{}; ///< at the look before, or what was set by hand since then
};

/// The part of the intent that may be applied at that moment. Offloads are in every part: what protects data always
/// holds. An automatic MTU is in none.
Intent narrowed(Intent intent, Moment moment, const Situation &situation = {});

} // namespace nmib
