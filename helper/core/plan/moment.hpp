// SPDX-License-Identifier: LGPL-2.1-or-later
/// Decides which part of a profile may be applied, and when, for plugin, dispatcher helper and command. NetworkManager
/// writes transport mode and MTU itself; this project does what NetworkManager cannot do. docs/changes.md shows the
/// table, and a test compares both.
#pragma once
#include "core/plan/facts.hpp"

namespace nmib
{

enum class Moment {
    prepare,    ///< plugin: before NetworkManager writes the mode
    config,     ///< plugin: mode written, link up again, no address yet
    activated,  ///< plugin: NetworkManager has set the MTU, also after Reapply and `nmcli device modify`
    carrier,    ///< plugin: the carrier came, went or changed, or a new broadcast group changed the MTU
    dispatched, ///< helper without the plugin: pre-up, up and reapply
    by_hand,    ///< command: `nm-ib apply` on an interface with an active profile
    forecast    ///< command: a whole activation, including NetworkManager's part
};

struct Situation {
    bool assumed = false; ///< NetworkManager took over an earlier daemon's activation, and leaves mode and MTU alone
    Mtu mtu = 0;          ///< of the interface
    TransportMode mode = TransportMode::datagram; ///< of the interface. Connected mode has no broadcast group's limit
    bool enhanced = false;                        ///< enhanced IPoIB: each change of the MTU interrupts the carrier
    std::optional<Mtu> before{};                  ///< at the previous moment
    bool by_hand = false;    ///< a program or an administrator set the mode or the MTU during the activation
    bool requested = true;   ///< activated: NetworkManager has requested the MTU; not after Reapply of other values
    bool overridden = false; ///< NetworkManager has just set the profile's offloads, or they override a quirk
};

/// Returns the part of the intent that may be applied at this moment. An automatic MTU never is in it.
Intent narrowed(Intent intent, Moment moment, const Situation &situation = {});

} // namespace nmib
