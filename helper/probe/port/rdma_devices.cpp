// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/port/rdma_devices.hpp"

#include "core/base/text.hpp"
#include "probe/rdma/netlink.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
constexpr std::size_t text_limit = 256; ///< bytes; the longest file, a node description, has 64

/// From the root, because the entries of class/ are links that leave it.
std::string path_of(const std::string &device) { return "class/infiniband/" + device; }

Error not_understood(const Dir &dir, const std::string &file)
{
    return Error{Error::Kind::invalid, dir.path() + "/" + file + ": cannot be parsed"};
}

/// Reads a file of one line; an empty file has no value.
Read<std::string> line(const Dir &dir, const std::string &file)
{
    const auto text = dir.read(file, text_limit);
    if (!text) return text.error();
    const auto value = trim(*text);
    if (value.empty()) return {};
    if (value.find_first_of(std::string_view("\0\n", 2)) != value.npos) return not_understood(dir, file);
    return std::string(value);
}

/// Reads a file with `parse`, which returns an optional.
template<class T, class Parse> Read<T> value(const Dir &dir, const std::string &file, Parse parse)
{
    const auto text = line(dir, file);
    if (!text) return text.error();
    if (auto parsed = parse(std::string_view(*text))) return static_cast<T>(*parsed);
    return not_understood(dir, file);
}

Read<unsigned> hexadecimal(const Dir &dir, const std::string &file, std::uint64_t max)
{
    return value<unsigned>(dir, file, [&](std::string_view t) { return parse_hex(t, max); });
}
Read<unsigned> decimal(const Dir &dir, const std::string &file, std::uint64_t max)
{
    return value<unsigned>(dir, file, [&](std::string_view t) { return parse_decimal(t, max); });
}
/// A missing file of an existing device or port is an I/O error, not "absent".
template<class T> Read<T> needed(Read<T> read)
{
    if (read || read.failed()) return read;
    return Error{Error::Kind::io, read.error().what.empty() ? "empty" : read.error().what};
}

/// sysfs calls an iWARP port Ethernet, too; then node_type is 4 (RNIC).
Read<LinkLayer> layer_of(const Dir &device, const Dir &port)
{
    const auto text = needed(line(port, "link_layer"));
    if (!text) return text.error();
    if (*text == "InfiniBand") return LinkLayer::infiniband;
    if (*text != "Ethernet") return not_understood(port, "link_layer");
    const auto node = line(device, "node_type");
    return node && node->starts_with("4") ? LinkLayer::iwarp : LinkLayer::roce;
}

/// Returns the second half of the first GID (InfiniBand Architecture, volume 1, 4.1.1).
Read<Guid> guid_of(const Dir &port)
{
    return needed(value<Guid>(port, "gids/0", [](std::string_view text) {
        return text.size() == 39 ? Guid::parse(text.substr(20)) : std::nullopt;
    }));
}

PortNetdev netdev(const LinkRow &row)
{
    PortNetdev n{.ifindex = row.ifindex, .name = *row.name};
    n.parent = row.infiniband ? row.parent : 0;
    n.infiniband = row.infiniband;
    if (row.infiniband) n.address = row.address;
    n.mtu = row.mtu;
    n.mode = row.mode;
    n.pkey = row.pkey;
    n.up = row.up;
    n.carrier = row.carrier;
    return n;
}

const LinkRow *find(std::span<const LinkRow> links, std::string_view name)
{
    const auto it =
        std::find_if(links.begin(), links.end(), [&](const LinkRow &l) { return l.name && l.name->view() == name; });
    return it == links.end() ? nullptr : &*it;
}

/// Returns an Ethernet port's interface: of its first GID, or the interface under a software device.
std::string ethernet_of(const Dir &device, const Dir &port)
{
    auto name = line(port, "gid_attrs/ndevs/0");
    if (!name) name = line(device, "parent");
    return name ? *name : "";
}

/// Returns port number and row for each IPoIB interface of this device.
std::vector<std::pair<unsigned, const LinkRow *>> ipoib_of(const Dir &sysfs, const std::string &device,
                                                           std::span<const LinkRow> links)
{
    std::vector<std::pair<unsigned, const LinkRow *>> all;
    for (const auto &name : sysfs.names(path_of(device) + "/device/net")) {
        const auto *row = find(links, name);
        if (!row || !row->infiniband || row->parent) continue;
        if (const auto port = sysfs.decimal("class/net/" + name + "/dev_port", 254)) all.emplace_back(*port + 1, row);
    }
    return all;
}

void add_interfaces(RdmaPort &port, const LinkRow &own, std::span<const LinkRow> links)
{
    port.interfaces.push_back(netdev(own));
    if (!own.infiniband) return;
    for (const auto &row : links)
        if (row.name && row.infiniband && row.parent == own.ifindex) port.interfaces.push_back(netdev(row));
}

RdmaPort read_port(const Dir &device, const Dir &dir, unsigned number)
{
    RdmaPort p{.number = number};
    p.layer = layer_of(device, dir);
    p.state = needed(value<PortState>(dir, "state", parse_port_state));
    p.phys_state = value<PhysState>(dir, "phys_state", parse_phys_state);
    p.rate = value<PortRate>(dir, "rate", PortRate::parse);
    if (!p.layer || *p.layer != LinkLayer::infiniband) return p;
    p.lid = needed(hexadecimal(dir, "lid", 0xffff));
    p.sm_lid = needed(hexadecimal(dir, "sm_lid", 0xffff));
    p.guid = guid_of(dir);
    return p;
}

/// Returns the sorted numbers that are file names below `path`.
Result<std::vector<unsigned>> indices(const Dir &dir, const std::string &path, std::uint64_t max)
{
    const auto table = dir.sub(path);
    if (!table) return table.error();
    const auto names = table->list();
    if (!names) return names.error();
    std::vector<unsigned> all;
    for (const auto &name : *names)
        if (const auto n = parse_decimal(name, max)) all.push_back(static_cast<unsigned>(*n));
    std::sort(all.begin(), all.end());
    return all;
}

Read<std::vector<PKeyEntry>> read_pkeys(const Dir &port)
{
    const auto all = indices(port, "pkeys", 0xffff);
    if (!all) return all.error();
    std::vector<PKeyEntry> keys;
    for (const auto i : *all) {
        const auto key = hexadecimal(port, "pkeys/" + std::to_string(i), 0xffff);
        if (key.failed()) return key.error();
        if (const auto entry = key ? PKey::from(static_cast<std::uint32_t>(*key)) : std::nullopt)
            keys.push_back({i, *entry});
    }
    return keys;
}

Read<std::vector<GidEntry>> read_gids(const Dir &port)
{
    const auto all = indices(port, "gids", 0xffff);
    if (!all) return all.error();
    std::vector<GidEntry> gids;
    for (const auto i : *all) {
        const auto at = std::to_string(i);
        const auto gid = line(port, "gids/" + at);
        if (gid.failed()) return gid.error();
        if (!gid || gid->find_first_not_of("0:") == gid->npos) continue;
        // An unused index answers EINVAL.
        const auto type = line(port, "gid_attrs/types/" + at), interface = line(port, "gid_attrs/ndevs/" + at);
        gids.push_back({i, *gid, type ? *type : "", interface ? *interface : ""});
    }
    return gids;
}

/// "15b3:1017"
Read<std::string> pci_id_of(const Dir &function)
{
    const auto vendor = hexadecimal(function, "vendor", 0xffff), device = hexadecimal(function, "device", 0xffff);
    if (!vendor) return vendor.error();
    if (!device) return device.error();
    return hex(*vendor, 4).substr(2) + ":" + hex(*device, 4).substr(2);
}

std::string device_on(const Dir &function)
{
    const auto names = function.names("infiniband");
    return names.empty() ? "" : names.front();
}

std::vector<VirtualFunction> functions_of(const Dir &sysfs, const Dir &function, const std::string &path)
{
    constexpr std::string_view prefix = "virtfn";
    std::vector<VirtualFunction> all;
    for (const auto &name : function.names(".")) {
        const auto number = name.starts_with(prefix) ? parse_decimal(name.substr(prefix.size()), 65535) : std::nullopt;
        const auto bus = number ? function.symlink_name(name) : Result<std::string>(Error{});
        if (!bus) continue;
        const auto its = sysfs.sub(path + "/" + name);
        all.push_back({static_cast<unsigned>(*number), *bus, its ? device_on(*its) : ""});
    }
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.number < b.number; });
    return all;
}
} // namespace

Result<std::vector<RdmaDevice>> read_rdma_devices(const Dir &sysfs, std::span<const LinkRow> links)
{
    const auto top = sysfs.sub("class/infiniband");
    if (!top && top.error().kind == Error::Kind::absent) return std::vector<RdmaDevice>{};
    auto names = top.and_then([](auto &d) { return d.list(4096); });
    if (!names) return names.error();
    std::sort(names->begin(), names->end(), is_before);
    std::vector<RdmaDevice> all;
    for (const auto &name : *names) {
        const auto dir = sysfs.sub(path_of(name));
        const auto numbers = dir.and_then([&](auto &d) { return indices(d, "ports", 254); });
        if (!numbers) continue; // gone meanwhile
        RdmaDevice device{.name = name};
        const auto ipoib = ipoib_of(sysfs, name, links);
        for (const auto number : *numbers) {
            const auto port = dir->sub("ports/" + std::to_string(number));
            if (!port || number == 0) continue;
            device.ports.push_back(read_port(*dir, *port, number));
            auto &p = device.ports.back();
            for (const auto &[own, row] : ipoib)
                if (own == number) add_interfaces(p, *row, links);
            if (!p.layer || *p.layer == LinkLayer::infiniband) continue;
            auto ethernet = ethernet_of(*dir, *port);
            if (ethernet.empty() && *p.layer == LinkLayer::iwarp) ethernet = netdev_of(name, number);
            if (const auto *row = find(links, ethernet)) add_interfaces(p, *row, links);
        }
        all.push_back(std::move(device));
    }
    return all;
}

void read_details(const Dir &sysfs, RdmaDevice &device)
{
    const auto path = path_of(device.name);
    const auto dir = sysfs.sub(path);
    if (!dir) return;
    device.type = line(*dir, "hca_type");
    device.board_id = line(*dir, "board_id");
    device.firmware = line(*dir, "fw_ver");
    device.hw_rev = line(*dir, "hw_rev");
    device.description = line(*dir, "node_desc");
    device.node_guid = value<Guid>(*dir, "node_guid", Guid::parse);
    device.system_guid = value<Guid>(*dir, "sys_image_guid", Guid::parse);
    const auto function = sysfs.sub(path + "/device");
    if (!function) return; // software device
    if (const auto driver = function->symlink_name("driver")) device.driver = *driver;
    if (const auto bus = dir->symlink_name("device")) device.bus = *bus;
    device.pci_id = pci_id_of(*function);
    device.pci_speed = line(*function, "current_link_speed");
    device.pci_width = line(*function, "current_link_width");
    device.pci_max_speed = line(*function, "max_link_speed");
    device.pci_max_width = line(*function, "max_link_width");
    device.physical_function = function->symlink_name("physfn");
    device.vfs = decimal(*function, "sriov_numvfs", 65535);
    device.max_vfs = decimal(*function, "sriov_totalvfs", 65535);
    device.functions = functions_of(sysfs, *function, path + "/device");
}

void read_details(const Dir &sysfs, const RdmaDevice &device, RdmaPort &port)
{
    const auto dir = sysfs.sub(path_of(device.name) + "/ports/" + std::to_string(port.number));
    if (!dir) return;
    port.lmc = decimal(*dir, "lid_mask_count", 7);
    port.sm_sl = decimal(*dir, "sm_sl", 15);
    port.cap_mask = hexadecimal(*dir, "cap_mask", UINT32_MAX);
    port.pkeys = read_pkeys(*dir);
    port.gids = read_gids(*dir);
    // Exists only if a program has made it, like cma_roce_mode.
    const auto set = port.layer && *port.layer == LinkLayer::roce
                         ? sysfs.sub("kernel/config/rdma_cm/" + device.name + "/ports/" + std::to_string(port.number))
                         : Result<Dir>(Error{});
    if (set) port.roce_mode = line(*set, "default_roce_mode");
}

} // namespace nmib
