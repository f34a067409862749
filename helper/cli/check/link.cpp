// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/words.hpp"
#include "cli/check/peer.hpp"
#include "core/base/number.hpp"
#include "core/check/rate.hpp"
#include "probe/port/rdma_devices.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr int deepest = 4; ///< interfaces on top of each other: a VLAN on a bond ...

const LinkRow *row_of(const std::vector<LinkRow> &rows, int ifindex)
{
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const LinkRow &row) { return row.ifindex == ifindex; });
    return found == rows.end() ? nullptr : &*found;
}

/// What carries an interface that is on no port itself: the active port of a bond, or what a VLAN is on. 0: nothing.
int below(const Dir &sysfs, const std::vector<LinkRow> &rows, const LinkRow &row)
{
    const auto active = row.name ? sysfs.read("class/net/" + row.name->str() + "/bonding/active_slave", 64)
                                 : Result<std::string>(Error{});
    if (!active) return row.parent;
    const auto name = IfName::parse(trim(*active));
    for (const auto &r : rows)
        if (name && r.name == name) return r.ifindex;
    return 0;
}

/// Whether the interface is on a port; then `seen` has what is known of that port.
bool read_port(const Dir &sysfs, std::vector<RdmaDevice> &devices, int ifindex, LinkSeen &seen)
{
    for (auto &device : devices)
        for (auto &port : device.ports)
            for (const auto &n : port.interfaces) {
                if (n.ifindex != ifindex) continue;
                seen.port = device.label(port);
                seen.mode = n.mode;
                if (port.rate && port.layer) seen.data_rate = data_rate(*port.rate, *port.layer);
                read_details(sysfs, device);
                if (device.pci_speed && device.pci_width)
                    seen.pci_rate = pci_rate(*device.pci_speed, *device.pci_width);
                return true;
            }
    return false;
}
} // namespace

Result<LinkSeen> look_at_link(int ifindex)
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    auto rtnl = Rtnl::open();
    const auto rows = rtnl ? rtnl->all_links() : Result<std::vector<LinkRow>>(rtnl.error());
    if (!rows) return rows.error();
    const auto *row = row_of(*rows, ifindex);
    if (!row) return Error{Error::Kind::absent, form(_("interface %d is gone"), ifindex)};
    LinkSeen seen{.interface = row->name ? row->name->str() : std::to_string(ifindex),
                  .up = row->up,
                  .carrier = row->carrier,
                  .mtu = row->mtu};
    auto devices = read_rdma_devices(*sysfs, *rows);
    if (!devices) return devices.error();
    for (int depth = 0; row && depth < deepest && !read_port(*sysfs, *devices, row->ifindex, seen); depth++)
        row = row_of(*rows, below(*sysfs, *rows, *row));
    return seen;
}

} // namespace nmib::cli
