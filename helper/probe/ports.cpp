// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/ports.hpp"

#include "core/number.hpp"

#include <algorithm>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <tuple>

namespace nmib
{

namespace
{
std::optional<std::uint64_t> decimal(const Dir &dir, const std::string &file, std::uint64_t max)
{
    const auto text = dir.read(file, 64);
    return text ? parse_decimal(trim(*text), max) : std::nullopt;
}

/// The second half of the port's first GID (InfiniBand Architecture Specification, volume 1, 4.1.1).
Guid guid_of(const Dir &port)
{
    const auto gid = port.read("gids/0", 64);
    const auto text = gid ? trim(*gid) : std::string_view{};
    return text.size() == 39 ? Guid::parse(text.substr(20)).value_or(Guid{}) : Guid{};
}

/// The lines "E:KEY=VALUE" of udev's file on an interface.
std::map<std::string, std::string> properties(const std::string &udev_data, int ifindex)
{
    std::map<std::string, std::string> all;
    const auto dir = Dir::open(udev_data);
    const auto text = dir ? dir->read("n" + std::to_string(ifindex), 65536) : Result<std::string>(dir.error());
    if (!text) return all;
    for (std::string_view rest = *text; !rest.empty();) {
        const auto line = take(rest);
        const auto equals = line.find('=');
        if (line.starts_with("E:") && equals != line.npos)
            all.emplace(line.substr(2, equals - 2), line.substr(equals + 1));
    }
    return all;
}

/// The interface at class/net/`name`, when it is the one of this port.
std::optional<PortInterface> interface_at(const Dir &sysfs, const std::string &name, unsigned port,
                                          const std::string &udev_data, std::span<const InterfaceNames> names)
{
    const auto dir = sysfs.sub("class/net/" + name);
    const auto ifname = IfName::parse(name);
    if (!dir || !ifname || decimal(*dir, "type", 65535) != ARPHRD_INFINIBAND) return {};
    const auto dev_port = decimal(*dir, "dev_port", 254), ifindex = decimal(*dir, "ifindex", INT32_MAX);
    const auto address = dir->read("address", 128);
    const auto parsed = address ? HwAddr::parse(trim(*address)) : std::nullopt;
    if (dev_port != port - 1 || !ifindex || !parsed) return {};
    PortInterface i{.ifindex = static_cast<int>(*ifindex), .name = *ifname, .address = *parsed};
    if (const auto flags = dir->read("flags", 64))
        i.up = (parse_hex(trim(*flags), UINT32_MAX).value_or(0) & IFF_UP) != 0;
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
    const auto net = device.sub("net");
    const auto all = net ? net->list(1024) : Result<std::vector<std::string>>(net.error());
    if (!all) return {};
    for (const auto &name : *all)
        if (auto i = interface_at(sysfs, name, port, udev_data, names)) return i;
    return {};
}

/// Where an HCA is: its PCI address, and its driver.
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
    const auto hcas = sysfs.sub("class/infiniband");
    if (!hcas && hcas.error().kind == Error::Kind::absent) return std::vector<PortIdentity>{};
    const auto all = hcas ? hcas->list(4096) : Result<std::vector<std::string>>(hcas.error());
    if (!all) return all.error();
    std::vector<PortIdentity> ports;
    for (const auto &hca : *all) {
        const auto dir = sysfs.sub("class/infiniband/" + hca + "/ports");
        const auto numbers = dir ? dir->list(254) : Result<std::vector<std::string>>(dir.error());
        if (!numbers) continue; // gone meanwhile
        const auto device = sysfs.sub("class/infiniband/" + hca + "/device");
        for (const auto &number : *numbers) {
            const auto n = parse_decimal(number, 254);
            const auto port = dir->sub(number);
            const auto layer = port ? port->read("link_layer", 64) : Result<std::string>(port.error());
            if (!n || *n == 0 || !layer || trim(*layer) != "InfiniBand") continue;
            PortIdentity p;
            p.hca = hca;
            p.number = static_cast<unsigned>(*n);
            p.guid = guid_of(*port);
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

} // namespace nmib
