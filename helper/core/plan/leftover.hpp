// SPDX-License-Identifier: LGPL-2.1-or-later
/// P_Key children that NetworkManager made and does not remove: after a restart of the daemon, for keys without the
/// membership bit (it asks the kernel to delete the key as written, which is not the key there is), and when an
/// activation ends before its first stage.
#pragma once

namespace nmib
{

/// What is known of an interface and its use. What cannot be known is false.
struct ChildUse {
    bool child = false;    ///< IPoIB, with another interface below (IFLA_LINK)
    bool made = false;     ///< a profile of NetworkManager made it (nm-owned in its note, nm-config.c)
    bool taken = false;    ///< its administrator took it from NetworkManager (managed=false there)
    bool profile = false;  ///< a profile is active on it (connection-uuid there)
    bool request = false;  ///< NetworkManager is activating one on it, or has since it was last up
    bool carrier = false;  ///< without one an activation may be queued until it comes, in no note
    bool may_wait = false; ///< such an activation may be there
};

enum class Leftover { yes, later, no_child, not_made, taken, in_use };

/// Did NetworkManager make it, and is it unused? `later`: to be asked again when no activation can be waiting.
constexpr Leftover leftover(const ChildUse &use) noexcept
{
    if (!use.child) return Leftover::no_child;
    if (!use.made) return Leftover::not_made;
    if (use.taken) return Leftover::taken;
    if (use.profile || use.request) return Leftover::in_use;
    return use.carrier || !use.may_wait ? Leftover::yes : Leftover::later;
}

/// For a person who asks why a child is still there.
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
