// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which part of what a profile asks may be acted on, and when. Plugin, dispatcher helper and command all ask here, and
/// nothing else decides it.
#pragma once
#include "core/intent.hpp"

namespace nmib
{

/// The moments at which this project looks at an interface.
enum class Moment {
    prepare,      ///< plugin: before NetworkManager writes the mode
    config,       ///< plugin: the mode is written, the link is up again, no address is set yet
    activated,    ///< plugin: NetworkManager has set the MTU once more; DHCP or a router may have said one
    carrier,      ///< plugin: the carrier came, went or changed while the profile is active
    reapply,      ///< plugin: the applied connection was changed
    disconnected, ///< plugin: the profile is no longer active
    pre_up,       ///< helper: before NetworkManager calls the connection up
    up,           ///< helper
    reapplied,    ///< helper: after Reapply or `nmcli device modify`, which cannot be told apart there
    by_hand,      ///< command: on an interface with an active profile
    forecast      ///< command: what a whole activation would come to
};

/// What a moment's rule depends on.
struct Situation {
    bool carrier = true;     ///< `carrier`: without one, what the kernel says of the MTU holds until the next
    bool assumed = false;    ///< NetworkManager took the activation over from an earlier daemon and leaves the mode
    bool plugin = false;     ///< `up`: the plugin has seen to an automatic MTU
    bool leased_mtu = false; ///< `up`: a DHCP lease decided on the MTU
    bool mtu_is_new = false; ///< `reapply`: another MTU is asked for than before
};

/// The intent as far as the moment may act on it. Offloads are never left out: what protects data holds always.
Intent narrowed(Intent intent, Moment moment, const Situation &situation = {});

} // namespace nmib
