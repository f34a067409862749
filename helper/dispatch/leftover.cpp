// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/leftover.hpp"

#include "apply/link.hpp"

#include <ctime>

namespace nmib
{

namespace
{
/// An interface number is not used twice in one boot, but this costs nothing.
std::string identity(const LinkRow &child, const LeftoverPaths &paths)
{
    const auto sysfs = Dir::open(paths.sysfs);
    const auto changes = sysfs ? carrier_changes(*sysfs, *child.name) : std::nullopt;
    return child.name->str() + " " + child.address.str() + " " + (changes ? std::to_string(*changes) : "?") + "\n";
}
std::optional<DeviceNote> note_of(const LinkRow &child, const LeftoverPaths &paths)
{
    const auto devices = Dir::open(paths.devices);
    return devices ? read_device_note(*devices, child.ifindex) : std::nullopt;
}
} // namespace

Result<void> remember_child(const LinkRow &child, const LeftoverPaths &paths)
{
    const auto note = note_of(child, paths);
    if (!child.parent || !note || !note->nm_owned) return {};
    return keep_state(paths.state, state_child, child.ifindex, identity(child, paths));
}

Result<bool> remove_leftover(Rtnl &rtnl, const LinkRow &child, const LeftoverPaths &paths)
{
    const auto state = Dir::open(paths.state);
    const auto remembered =
        state ? state->read(state_file(state_child, child.ifindex), 128) : Result<std::string>(Error{});
    if (!child.parent || !remembered) return false;
    constexpr int step_ms = 100;
    const int patience_ms = child.carrier ? paths.patience_ms : paths.without_carrier_ms;
    for (int waited = 0;; waited += step_ms) {
        const auto note = note_of(child, paths);
        if ((note && note->keeps()) || identity(child, paths) != *remembered) return false; // or in use again
        if (waited >= patience_ms) break;
        const timespec pause{0, step_ms * 1'000'000L};
        ::nanosleep(&pause, nullptr);
    }
    drop_state(paths.state, state_child, child.ifindex);
    const auto gone = delete_child(rtnl, child.ifindex);
    if (!gone && gone.error().kind != Error::Kind::absent) return gone.error();
    return static_cast<bool>(gone);
}

} // namespace nmib
