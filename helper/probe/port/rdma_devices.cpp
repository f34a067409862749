// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/port/rdma_devices.hpp"

#include "core/ib/counters.hpp"
#include "probe/base/rdma_netlink.hpp"
#include "probe/port/attribute.hpp"

#include <algorithm>
#include <set>

namespace nmib
{

using namespace attribute;

namespace
{
/// From the root, because the entries of class/ are links that leave it.
std::string path_of(const std::string &device) { return "class/infiniband/" + device; }
std::string path_of(const RdmaDevice &device, const RdmaPort &port)
{
    return path_of(device.name) + "/ports/" + std::to_string(port.number);
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

Read<std::vector<GidEntry>> read_gids(const Dir &port)
{
    const auto all = port.sub("gids").and_then([](auto &table) { return indices(table, 0xffff); });
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

/// A card with planes has a second device with the same port GUID, which alone answers subnet management packets: its
/// ports are the planes (rdma-core, libibumad/umad.c, umad_get_smi_gsi_pairs). IsSMdisabled marks the card's own.
void pair_planes(const Dir &sysfs, std::vector<RdmaDevice> &all)
{
    const auto guid = [](const RdmaDevice &d) {
        return d.ports.empty() || !d.ports[0].guid ? 0 : d.ports[0].guid->value;
    };
    const auto system = [&](const RdmaDevice &d) { return sysfs.line(path_of(d.name) + "/sys_image_guid"); };
    const auto is_card = [&](const RdmaDevice &d) {
        constexpr std::uint64_t is_sm_disabled = 1U << 10;
        const auto number = std::to_string(d.ports[0].number);
        return (sysfs.hexadecimal(path_of(d.name) + "/ports/" + number + "/cap_mask", UINT32_MAX).value_or(0) &
                is_sm_disabled) != 0;
    };
    std::set<std::string> planes;
    for (auto &card : all)
        for (auto &smi : all) {
            if (&card == &smi || guid(card) == 0 || guid(card) != guid(smi) || system(card) != system(smi) ||
                !is_card(card) || is_card(smi))
                continue;
            card.smi = smi.name, card.planes = static_cast<unsigned>(smi.ports.size());
            planes.insert(smi.name);
        }
    std::erase_if(all, [&](const RdmaDevice &d) { return planes.contains(d.name); });
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
        const auto ports = dir.and_then([](auto &d) { return d.sub("ports"); });
        const auto numbers = ports.and_then([](auto &d) { return indices(d, 254); });
        if (!numbers) continue; // gone meanwhile
        RdmaDevice device{.name = name};
        const auto ipoib = ipoib_of(sysfs, name, links);
        for (const auto number : *numbers) {
            const auto port = ports->sub(std::to_string(number));
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
    pair_planes(sysfs, all);
    return all;
}

namespace
{
/// Follows "../../devices/pci0000:00/0000:00:01.0/0000:05:00.0/infiniband/mlx5_0" from the card up to the root.
std::vector<PciHop> pci_path_of(const Dir &sysfs, const std::string &device)
{
    std::vector<PciHop> path;
    const auto target = sysfs.symlink_target(path_of(device));
    auto at = target ? *target : std::string{};
    if (!at.starts_with("../../devices/")) return path;
    at = at.substr(6, at.find("/infiniband/") - 6);
    for (; is_pci_address(split_path(at).second); at = split_path(at).first) {
        const auto dir = sysfs.sub(at);
        if (!dir) break;
        path.push_back({split_path(at).second,
                        PciLink::parse(dir->line("current_link_speed"), dir->line("current_link_width")),
                        PciLink::parse(dir->line("max_link_speed"), dir->line("max_link_width"))});
    }
    return path;
}
} // namespace

Result<bool> manages_fabric(const Dir &sysfs, const std::string &device)
{
    constexpr unsigned mellanox = 0x15b3, connectx7 = 0x1021; // older cards are in no NVSwitch bridge
    const auto function = sysfs.sub(path_of(device) + "/device");
    const auto id = function ? pci_id(*function) : Read<PciId>();
    if (!id || id->vendor != mellanox || id->device < connectx7) return false;
    const auto vpd = function->read("vpd", 1U << 15); // takes milliseconds
    if (!vpd && vpd.error().kind != Error::Kind::absent) return vpd.error();
    return vpd && vpd->find("SMDL=SW_MNG") != vpd->npos;
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
    device.pci_id = pci_id(*function);
    device.pci_speed = line(*function, "current_link_speed");
    device.pci_width = line(*function, "current_link_width");
    device.pci_max_speed = line(*function, "max_link_speed");
    device.pci_max_width = line(*function, "max_link_width");
    device.physical_function = function->symlink_name("physfn");
    if (!device.physical_function) device.pci_path = pci_path_of(sysfs, device.name);
    const auto managed = manages_fabric(sysfs, device.name);
    device.is_fabric_managed = managed && *managed;
    device.role_known = managed || managed.error().kind != Error::Kind::denied; // a broken card is no NVSwitch's
    device.vfs = decimal(*function, "sriov_numvfs", 65535);
    device.max_vfs = decimal(*function, "sriov_totalvfs", 65535);
    device.functions = functions_of(sysfs, *function, path + "/device");
}

void read_details(const Dir &sysfs, const RdmaDevice &device, RdmaPort &port)
{
    const auto dir = sysfs.sub(path_of(device, port));
    if (!dir) return;
    port.lmc = decimal(*dir, "lid_mask_count", 7);
    port.sm_sl = decimal(*dir, "sm_sl", 15);
    port.cap_mask = hexadecimal(*dir, "cap_mask", UINT32_MAX);
    port.pkeys = dir->sub("pkeys").and_then(attribute::read_pkeys);
    port.gids = read_gids(*dir);
    // Exists only if a program has made it, like cma_roce_mode.
    const auto set = port.layer && *port.layer == LinkLayer::roce
                         ? sysfs.sub("kernel/config/rdma_cm/" + device.name + "/ports/" + std::to_string(port.number))
                         : Result<Dir>(Error{});
    if (set) port.roce_mode = line(*set, "default_roce_mode");
}

void read_counters(const Dir &sysfs, const RdmaDevice &device, RdmaPort &port)
{
    const auto dir = sysfs.sub(path_of(device, port));
    if (!dir || device.is_fabric_managed || !device.role_known || device.is_virtual()) return;
    for (const std::string name : error_counters)
        for (const std::string place : {"hw_counters/", "counters/"})
            if (const auto value = dir->decimal(place + name, UINT64_MAX)) port.counters[name] = *value;
}

} // namespace nmib
