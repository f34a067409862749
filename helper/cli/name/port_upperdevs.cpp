// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/port_upperdevs.hpp"

#include "core/base/printable.hpp"
#include "probe/base/dir.hpp"

#include <cerrno>

namespace nmib::cli
{

namespace
{
using Interface = PortUpperdevs::Interface;

std::optional<std::string> danger_of(const Interface &i)
{
    const auto name = i.name();
    if (i.device.path.empty())
        return i.row.up ? std::optional(form(_("%s is up, and not by NetworkManager"), name.c_str())) : std::nullopt;
    if (i.device.active.empty()) return std::nullopt;
    if (!i.device.stored) return form(_("%s was set up by hand, without a profile"), name.c_str());
    if (!i.device.settled) return form(_("'%s' is just coming up on %s"), printable(i.device.id).c_str(), name.c_str());
    return std::nullopt;
}

bool is_of_partition(const Daemon &daemon, const NmDevice &device)
{
    const auto profile =
        device.profile.empty() ? Result<Object<NMConnection>>(bad("")) : daemon.profile(device.profile);
    auto *ib = profile ? nm_connection_get_setting_infiniband(profile->get()) : nullptr;
    return ib && nm_setting_infiniband_get_p_key(ib) >= 0;
}
} // namespace

std::string PortUpperdevs::Interface::name() const { return printable(row.name->view()); }

Result<std::vector<LinkRow>> children_of(Rtnl &rtnl, int ifindex)
{
    auto rows = rtnl.ipoib_links();
    if (rows) std::erase_if(*rows, [&](const LinkRow &row) { return row.parent != ifindex || !row.name; });
    return rows;
}

Result<PortUpperdevs> PortUpperdevs::of(Rtnl &rtnl, const Daemon &daemon, const LinkRow &port)
{
    PortUpperdevs found{.port = {port}};
    const auto rows = children_of(rtnl, port.ifindex);
    if (!rows) return rows.error();
    for (const auto &row : *rows) found.children.push_back({row});
    const auto sysfs = Dir::open("/sys/class/net/" + port.name->str());
    const auto files = sysfs ? sysfs->list() : Result<Words>(sysfs.error());
    if (!files) return files.error();
    constexpr std::string_view prefix = "upper_"; // net/core/dev.c, netdev_adjacent_sysfs_add
    for (const auto &file : *files)
        if (const auto name = file.starts_with(prefix) ? IfName::parse(file.substr(prefix.size())) : std::nullopt) {
            const auto row = rtnl.link(*name);
            if (!row || !row->name) return row ? sys_error(ENODEV, name->str()) : row.error();
            found.uppers.push_back({*row});
        }
    found.port.device = nm_device_of(daemon, *port.name);
    for (auto *some : {&found.children, &found.uppers})
        for (auto &interface : *some) interface.device = nm_device_of(daemon, *interface.row.name);
    for (auto &child : found.children) child.of_partition = is_of_partition(daemon, child.device);
    return found;
}

std::optional<std::string> PortUpperdevs::danger() const
{
    if (auto danger = danger_of(port)) return danger;
    for (const auto &child : children) {
        if (auto danger = danger_of(child)) return danger;
        if (!child.of_partition)
            return form(_("the P_Key child %s was not made by a profile that is active"), child.name().c_str());
    }
    for (const auto &upper : uppers)
        if (upper.device.active.empty() || !upper.device.stored)
            return form(_("%s is a port of %s, which is not in NetworkManager's hands"), port.name().c_str(),
                        upper.name().c_str());
    return std::nullopt;
}

} // namespace nmib::cli
