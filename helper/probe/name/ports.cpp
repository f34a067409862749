// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/name/ports.hpp"

#include "core/base/text.hpp"
#include "probe/port/rdma_devices.hpp"

#include <algorithm>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <tuple>
#include <unistd.h>

namespace nmib
{

namespace
{
/// Reads the lines "E:KEY=VALUE" of udev's file for an interface.
std::map<std::string, std::string> properties(const std::string &udev_data, int ifindex)
{
    std::map<std::string, std::string> all;
    const auto text = read_file(udev_data + "/n" + std::to_string(ifindex));
    if (!text) return all;
    for (std::string_view rest = *text; !rest.empty();) {
        const auto line = take(rest);
        const auto equals = line.find('=');
        if (line.starts_with("E:") && equals != line.npos)
            all.emplace(line.substr(2, equals - 2), line.substr(equals + 1));
    }
    return all;
}

/// Returns the interface class/net/`name` if it belongs to this port.
std::optional<PortInterface> interface_at(const Dir &sysfs, const std::string &name, unsigned port,
                                          const std::string &udev_data, std::span<const InterfaceNames> names)
{
    const auto dir = sysfs.sub("class/net/" + name);
    const auto ifname = IfName::parse(name);
    if (!dir || !ifname || dir->decimal("type", 65535) != ARPHRD_INFINIBAND) return {};
    const auto dev_port = dir->decimal("dev_port", 254), ifindex = dir->decimal("ifindex", INT32_MAX);
    const auto address = HwAddr::parse(dir->line("address"));
    if (dev_port != port - 1 || !ifindex || !address) return {};
    PortInterface i{.ifindex = static_cast<int>(*ifindex), .name = *ifname, .address = *address};
    i.up = (dir->hexadecimal("flags", UINT32_MAX).value_or(0) & IFF_UP) != 0;
    const auto own = std::find_if(names.begin(), names.end(), [&](const auto &n) { return n.ifindex == i.ifindex; });
    if (own != names.end()) i.alternative_names = own->alternative;
    i.properties = properties(udev_data, i.ifindex);
    i.properties["ID_IPOIB_ADDRESS"] = i.address.str();
    i.properties["ID_IPOIB_DEV_PORT"] = std::to_string(*dev_port);
    return i;
}

std::optional<PortInterface> interface_of(const Dir &sysfs, const Dir &device, unsigned port,
                                          const std::string &udev_data, std::span<const InterfaceNames> names)
{
    for (const auto &name : device.names("net"))
        if (auto i = interface_at(sysfs, name, port, udev_data, names)) return i;
    return {};
}

void add_device(PortIdentity &port, const Dir &sysfs, const Dir &device)
{
    if (const auto driver = device.symlink_name("driver")) port.driver = *driver;
    if (const auto bus = sysfs.symlink_name("class/infiniband/" + port.hca + "/device"); bus && IdPath::parse(*bus))
        port.bus = *bus;
}
} // namespace

Result<std::vector<InterfaceNames>> read_names(Rtnl &rtnl)
{
    auto rows = rtnl.all_links();
    if (!rows) return rows.error();
    std::vector<InterfaceNames> names;
    for (auto &row : *rows)
        if (row.name) names.push_back({row.ifindex, *row.name, std::move(row.alternative_names)});
    return names;
}

Result<std::vector<PortIdentity>> read_ports(const Dir &sysfs, const std::string &udev_data,
                                             std::span<const InterfaceNames> names)
{
    const auto devices = read_rdma_devices(sysfs, {});
    if (!devices) return devices.error();
    std::vector<PortIdentity> ports;
    for (const auto &hca : *devices) {
        if (const auto managed = manages_fabric(sysfs, hca.name); managed && *managed) continue; // not for users
        const auto device = sysfs.sub("class/infiniband/" + hca.name + "/device");
        for (const auto &port : hca.ports) {
            if (!port.layer || *port.layer != LinkLayer::infiniband) continue;
            PortIdentity p{hca.place(port), {}};
            if (device) {
                add_device(p, sysfs, *device);
                p.interface = interface_of(sysfs, *device, p.number, udev_data, names);
            }
            ports.push_back(std::move(p));
        }
    }
    std::sort(ports.begin(), ports.end(), [](const auto &a, const auto &b) {
        return std::tie(a.bus, a.hca, a.number) < std::tie(b.bus, b.hca, b.number);
    });
    return ports;
}

void read_rdma_nodes(NamingWorld &world, const Dir &sysfs)
{
    std::map<std::string, RdmaNode> all;
    for (const auto &port : world.ports) {
        auto &node = all[port.hca];
        node.ports++;
        if (!node.name.empty()) continue;
        node.name = port.hca;
        const auto device = sysfs.sub("class/infiniband/" + port.hca);
        node.guid = (device ? Guid::parse(device->line("node_guid")) : std::nullopt).value_or(Guid{});
    }
    world.devices.clear();
    for (const auto &name : sysfs.names("class/infiniband"))
        if (!all.contains(name)) world.other_devices.insert(name);
    for (auto &[_, node] : all) world.devices.push_back(std::move(node));
    world.has_rdma_rename = ::access(rdma_rename, X_OK) == 0;
}

} // namespace nmib
