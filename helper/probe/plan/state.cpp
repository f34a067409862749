// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/state.hpp"

#include "core/base/text.hpp"
#include "probe/base/keyfile.hpp"

#include <cerrno>
#include <fcntl.h>

namespace nmib
{

std::string MarkerRecord::str() const
{
    auto text = std::string(1, mark(inside)) + " nm-ib-marker-2 unstable=" + std::to_string(unstable);
    text.resize(size - 1, ' ');
    return text + '\n';
}

std::optional<MarkerRecord> MarkerRecord::parse(std::string_view text)
{
    // There are few records, and exactly one has this text.
    for (const bool inside : {false, true})
        for (unsigned unstable = 0; unstable <= most_unstable; unstable++)
            if (const MarkerRecord record{inside, unstable}; record.str() == text) return record;
    return std::nullopt;
}

Result<void> take_charge(int fd)
{
    struct flock lock {
    };
    lock.l_type = F_WRLCK;
    return ::fcntl(fd, F_OFD_SETLK, &lock) == 0 ? Result<void>() : sys_error(errno, MarkerRecord::file);
}

bool plugin_in_charge(const Dir &state)
{
    const auto file = state.open_trusted(MarkerRecord::file);
    struct flock lock {
    };
    lock.l_type = F_RDLCK; // conflicts only with a write lock
    return file && ::fcntl(file->get(), F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
}

std::string state_file(std::string_view kind, const IfName &name) { return std::string(kind) + "-" + name.str(); }

std::string state_file(std::string_view kind, int ifindex) { return std::string(kind) + "-" + std::to_string(ifindex); }

std::optional<std::string> read_state(const std::string &state, std::string_view kind, int ifindex)
{
    const auto text = read_file(state + "/" + state_file(kind, ifindex));
    return text ? std::optional(*text) : std::nullopt;
}

std::optional<std::string> read_state(const std::string &state, std::string_view kind, const IfName &name, int ifindex)
{
    const auto text = read_file(state + "/" + state_file(kind, name));
    const auto first = std::to_string(ifindex) + "\n";
    return text && text->starts_with(first) ? std::optional(text->substr(first.size())) : std::nullopt;
}

std::string Ceiling::str() const
{
    return std::string(name(mode)) + " " + std::to_string(mtu) + " " + std::to_string(carrier_changes) + "\n";
}

std::optional<Ceiling> Ceiling::parse(std::string_view text)
{
    text = trim(text);
    const auto mode = parse_mode(take(text, ' '));
    const auto mtu = parse_decimal(take(text, ' '), mtu::connected_maximum);
    const auto changes = parse_decimal(text, UINT64_MAX);
    if (!mode || !mtu || !changes) return std::nullopt;
    return Ceiling{*mode, static_cast<Mtu>(*mtu), *changes};
}

std::optional<std::uint64_t> carrier_changes(const Dir &sysfs, const IfName &link)
{
    return sysfs.decimal("class/net/" + link.str() + "/carrier_changes", UINT64_MAX);
}

std::optional<Mtu> read_ceiling(const std::string &state, const Dir &sysfs, const Link &link)
{
    const auto text = read_state(state, state_mtu, link.name, link.ifindex);
    const auto c = text ? Ceiling::parse(*text) : std::nullopt;
    if (!c || c->mode != link.mode || carrier_changes(sysfs, link.name) != c->carrier_changes) return std::nullopt;
    return c->mtu;
}

std::optional<DeviceNote> read_device_note(const Dir &devices, int ifindex)
{
    const auto name = std::to_string(ifindex);
    const auto text = devices.read(name, 65536);
    if (!text) return std::nullopt;
    const auto k = Keyfile::parse(*text, devices.path() + "/" + name);
    if (!k) return std::nullopt;
    DeviceNote note;
    note.nm_owned = Keyfile::boolean(k->get("device", "nm-owned").value_or("")).value_or(false);
    const auto managed = k->get("device", "managed"); // missing: unknown
    note.taken = managed && Keyfile::boolean(*managed) != true;
    note.profile_uuid = k->get("device", "connection-uuid").value_or("");
    return note;
}

ChildUse read_child_use(const std::string &devices, const LinkRow &link)
{
    const auto notes = Dir::open(devices);
    const auto note = notes ? read_device_note(*notes, link.ifindex).value_or(DeviceNote{}) : DeviceNote{};
    return {.child = link.infiniband && link.parent,
            .made = note.nm_owned,
            .taken = note.taken,
            .profile = !note.profile_uuid.empty(),
            .carrier = link.carrier};
}

} // namespace nmib
