// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/port_upperdevs.hpp"

#include "core/base/printable.hpp"
#include "probe/base/dir.hpp"

#include <cerrno>

namespace nmib::cli
{

namespace
{
using Interface = Standing::Interface;

std::optional<std::string> danger_of(const Interface &i)
{
    const auto name = i.name();
    if (i.held.device.empty())
        return i.row.up ? std::optional(form(_("%s is up, and not by NetworkManager"), name.c_str())) : std::nullopt;
    if (i.held.active.empty()) return std::nullopt;
    if (!i.held.lasting) return form(_("%s was set up by hand, without a profile"), name.c_str());
    if (!i.held.settled) return form(_("'%s' is just coming up on %s"), printable(i.held.id).c_str(), name.c_str());
    return std::nullopt;
}

bool is_of_partition(const Daemon &daemon, const Held &held)
{
    const auto profile = held.profile.empty() ? Result<Object<NMConnection>>(bad("")) : daemon.profile(held.profile);
    auto *ib = profile ? nm_connection_get_setting_infiniband(profile->get()) : nullptr;
    return ib && nm_setting_infiniband_get_p_key(ib) >= 0;
}
} // namespace

std::string Standing::Interface::name() const { return printable(row.name->view()); }

Result<std::vector<LinkRow>> children_of(Rtnl &rtnl, int ifindex)
{
    auto rows = rtnl.ipoib_links();
    if (rows) std::erase_if(*rows, [&](const LinkRow &row) { return row.parent != ifindex || !row.name; });
    return rows;
}

Result<Standing> Standing::of(Rtnl &rtnl, const Daemon &daemon, const LinkRow &port)
{
    Standing standing{.port = {port}};
    const auto rows = children_of(rtnl, port.ifindex);
    if (!rows) return rows.error();
    for (const auto &row : *rows) standing.children.push_back({row});
    const auto sysfs = Dir::open("/sys/class/net/" + port.name->str());
    const auto files = sysfs ? sysfs->list() : Result<Words>(sysfs.error());
    if (!files) return files.error();
    constexpr std::string_view prefix = "upper_"; // net/core/dev.c, netdev_adjacent_sysfs_add
    for (const auto &file : *files)
        if (const auto name = file.starts_with(prefix) ? IfName::parse(file.substr(prefix.size())) : std::nullopt) {
            const auto row = rtnl.link(*name);
            if (!row || !row->name) return row ? sys_error(ENODEV, name->str()) : row.error();
            standing.uppers.push_back({*row});
        }
    standing.port.held = held(daemon, *port.name);
    for (auto *some : {&standing.children, &standing.uppers})
        for (auto &interface : *some) interface.held = held(daemon, *interface.row.name);
    for (auto &child : standing.children) child.of_partition = is_of_partition(daemon, child.held);
    return standing;
}

std::optional<std::string> Standing::danger() const
{
    if (auto danger = danger_of(port)) return danger;
    for (const auto &child : children) {
        if (auto danger = danger_of(child)) return danger;
        if (!child.of_partition)
            return form(_("the P_Key child %s was not made by a profile that is active"), child.name().c_str());
    }
    for (const auto &upper : uppers)
        if (upper.held.active.empty() || !upper.held.lasting)
            return form(_("%s is a port of %s, which is not in NetworkManager's hands"), port.name().c_str(),
                        upper.name().c_str());
    return std::nullopt;
}

} // namespace nmib::cli
