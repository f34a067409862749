// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/leftover.hpp"

namespace nmib
{

namespace
{
/// As it is from `up` on until it is used anew.
std::string identity(const LinkRow &child, const ProbePaths &paths)
{
    const auto sysfs = Dir::open(paths.sysfs);
    const auto changes = sysfs ? carrier_changes(*sysfs, *child.name) : std::nullopt;
    return child.address.str() + " " + (changes ? std::to_string(*changes) : "?") + "\n";
}
DeviceNote note_of(const LinkRow &child, const ProbePaths &paths)
{
    const auto devices = Dir::open(paths.devices);
    return devices ? read_device_note(*devices, child.ifindex).value_or(DeviceNote{}) : DeviceNote{};
}
} // namespace

Result<void> remember_child(const LinkRow &child, const ProbePaths &paths)
{
    if (!child.parent || !note_of(child, paths).nm_owned) return {};
    return keep_state(paths.state, state_child, *child.name, child.ifindex, identity(child, paths));
}

Leftover judge_leftover(const LinkRow &child, const ProbePaths &paths, bool waited)
{
    const auto remembered = read_state(paths.state, state_child, *child.name, child.ifindex);
    const auto note = note_of(child, paths);
    ChildUse use;
    use.child = child.parent != 0;
    use.made = remembered.has_value();
    use.taken = note.taken;
    use.profile = !note.profile_uuid.empty();
    use.request = remembered && identity(child, paths) != *remembered;
    use.carrier = child.carrier;
    use.may_wait = !waited;
    return leftover(use);
}

} // namespace nmib
