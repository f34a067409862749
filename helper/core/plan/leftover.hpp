// SPDX-License-Identifier: LGPL-2.1-or-later
/// P_Key children that NetworkManager made and does not remove: after a restart of the daemon, for keys without the
/// membership bit (NetworkManager deletes the key as written, not the kernel's key), and if an activation ends before
/// its first stage.
#pragma once

namespace nmib
{

/// The known use of an interface; unknown is false. The note is NetworkManager's file of the device (nm-config.c).
struct ChildUse {
    bool child = false;    ///< IPoIB with a lower interface (IFLA_LINK)
    bool made = false;     ///< by a profile (nm-owned in the note)
    bool taken = false;    ///< from NetworkManager, by the administrator (managed=false in the note)
    bool profile = false;  ///< active on the interface (connection-uuid in the note)
    bool request = false;  ///< an activation is running, or has run since the interface was last up
    bool carrier = false;  ///< without a carrier, an activation that is in no note may wait for it
    bool may_wait = false; ///< an activation may be waiting for the carrier
};

enum class Leftover { yes, later, no_child, not_made, taken, in_use };

/// Returns `yes` if NetworkManager made the interface and nothing uses it, `later` if an activation may be waiting.
constexpr Leftover leftover(const ChildUse &use) noexcept
{
    if (!use.child) return Leftover::no_child;
    if (!use.made) return Leftover::not_made;
    if (use.taken) return Leftover::taken;
    if (use.profile || use.request) return Leftover::in_use;
    return use.carrier || !use.may_wait ? Leftover::yes : Leftover::later;
}

/// The reason for the verdict, for a log.
constexpr const char *reason(Leftover verdict) noexcept
{
    switch (verdict) {
    case Leftover::yes: return "made by NetworkManager, and not in use";
    case Leftover::later: return "an activation may be waiting for its carrier";
    case Leftover::no_child: return "not a P_Key child";
    case Leftover::not_made: return "not made by a profile of NetworkManager";
    case Leftover::taken: return "set to unmanaged by the administrator";
    case Leftover::in_use: return "a profile is active or is being activated";
    }
    return "";
}

} // namespace nmib
