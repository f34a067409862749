// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/rdma/facts.hpp"

#include "config.h"
#include "core/base/text.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/netlink.hpp"
#include "probe/base/rdma_netlink.hpp"
#include "probe/host/modules.hpp"
#include "probe/port/rdma_devices.hpp"

#include <algorithm>
#include <cstring>
#include <glib.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>

namespace nmib
{

namespace
{
template<class T> std::optional<T> value(const nlattr *attribute)
{
    T copy{};
    if (::nla_len(attribute) < static_cast<int>(sizeof(T))) return std::nullopt;
    std::memcpy(&copy, ::nla_data(attribute), sizeof(T));
    return copy;
}

/// Parses IFLA_VFINFO_LIST (rtnetlink.c, rtnl_fill_vfinfo).
void add_functions(nlmsghdr *answer, std::vector<VfNow> &all)
{
    nlattr *list = ::nlmsg_find_attr(answer, sizeof(ifinfomsg), IFLA_VFINFO_LIST);
    if (!list) return;
    nlattr *info = nullptr;
    int left = 0;
    nla_for_each_nested(info, list, left)
    {
        VfNow vf;
        nlattr *one = nullptr;
        int rest = 0;
        bool numbered = false;
        nla_for_each_nested(one, info, rest)
        {
            if (::nla_type(one) == IFLA_VF_MAC)
                if (const auto mac = value<ifla_vf_mac>(one)) vf.number = mac->vf, numbered = true;
            if (::nla_type(one) == IFLA_VF_IB_NODE_GUID)
                if (const auto guid = value<ifla_vf_guid>(one)) vf.node = Guid{guid->guid};
            if (::nla_type(one) == IFLA_VF_IB_PORT_GUID)
                if (const auto guid = value<ifla_vf_guid>(one)) vf.port = Guid{guid->guid};
        }
        if (numbered) all.push_back(vf);
    }
}

bool is_down(const Dir &function, const std::string &interface)
{
    const auto flags = function.hexadecimal("net/" + interface + "/flags", UINT32_MAX);
    return flags && (*flags & 1U) == 0; // IFF_UP
}

} // namespace

void look_who_has_it(const Dir &sysfs, const std::string &port, const RdmaUsers &users, VfNow &vf)
{
    const auto function = sysfs.sub("class/net/" + port + "/device/virtfn" + std::to_string(vf.number));
    const auto driver = function.and_then([](auto &f) { return f.symlink_name("driver"); });
    if (!driver) return;
    vf.bound = *driver == "mlx5_core" || *driver == "mlx4_core";
    // sysfs hides objects of other network namespaces.
    const auto interfaces = function->names("net"), devices = function->names("infiniband");
    const bool idle =
        vf.bound && !interfaces.empty() && !devices.empty() &&
        std::all_of(interfaces.begin(), interfaces.end(), [&](const auto &name) { return is_down(*function, name); }) &&
        std::all_of(devices.begin(), devices.end(), [&](const auto &name) { return users(name) == 0U; });
    vf.in_use = !idle;
    if (vf.bound && vf.file.empty() && devices.size() == 1) // mlx4 has only the port's
        vf.read = Guid::parse(function->line("infiniband/" + devices.front() + "/node_guid"));
}

std::vector<VfNow> read_admin_guids(const Dir &sysfs, const std::string &device, unsigned port,
                                    const std::string &interface)
{
    std::vector<VfNow> all;
    const auto iov = "class/infiniband/" + device + "/iov/";
    for (unsigned number = 0;; number++) {
        const auto function = sysfs.symlink_name("class/net/" + interface + "/device/virtfn" + std::to_string(number));
        if (!function) return all;
        const auto ports = "ports/" + std::to_string(port) + "/";
        const auto entry = sysfs.decimal(iov + *function + "/" + ports + "gid_idx/0", 127); // 0 is the card itself
        if (!entry || *entry == 0) continue;
        VfNow vf{.number = number, .file = iov + ports + "admin_guids/" + std::to_string(*entry)};
        const auto guid = sysfs.hexadecimal(vf.file, UINT64_MAX);
        if (!guid) continue;
        vf.node = vf.port = Guid{*guid};
        all.push_back(vf);
    }
}

std::vector<VfNow> read_vfs(const LinkRow &row)
{
    std::vector<VfNow> all;
    auto socket = Netlink::open(NETLINK_ROUTE);
    const auto m = link_request(RTM_GETLINK, row.ifindex);
    if (!socket || !m || ::nla_put_u32(m.get(), IFLA_EXT_MASK, RTEXT_FILTER_VF) < 0) return all;
    if (socket->ask(m.get(), [&](nlmsghdr *answer) { add_functions(answer, all); }) != 0) all.clear();
    return all;
}

namespace
{
/// The RoCE versions in a GID table, and whether it has an address of the interface. A table has up to 1024 files. The
/// kernel fills the first free entry, so the search ends after a gap.
struct Gids {
    bool v1 = false, v2 = false, ours = false;
};

Gids read_gids(const Dir &sysfs, const RdmaDevice &device, const RdmaPort &port, const IfName &link)
{
    constexpr unsigned gap = 32;
    Gids gids;
    const auto dir = sysfs.sub("class/infiniband/" + device.name + "/ports/" + std::to_string(port.number));
    for (unsigned i = 0, empty = 0; dir && empty < gap; i++) {
        const auto at = std::to_string(i);
        const auto type = dir->read("gid_attrs/types/" + at, 64);
        if (!type && type.error().kind == Error::Kind::absent) break;
        if (!type) empty++; // EINVAL: a free entry
        if (!type) continue;
        empty = 0;
        gids.v1 |= trim(*type) == kernels(RoceMode::v1);
        gids.v2 |= trim(*type) == kernels(RoceMode::v2);
        gids.ours |= dir->line("gid_attrs/ndevs/" + at) == link.view();
    }
    return gids;
}
} // namespace

std::vector<LinkRow> interfaces_below(const Dir &sysfs, const IfName &link)
{
    constexpr std::string_view prefix = "lower_";
    constexpr std::size_t most = 256; // a bridge may have many; the kernel allows 8 levels
    std::vector<LinkRow> all;
    std::vector<IfName> wait{link};
    while (!wait.empty() && all.size() < most) {
        const auto files = sysfs.names("class/net/" + wait.back().str());
        wait.pop_back();
        for (const auto &file : files) {
            const auto name =
                file.starts_with(prefix) ? IfName::parse(std::string_view(file).substr(prefix.size())) : std::nullopt;
            if (!name || std::any_of(all.begin(), all.end(), [&](const auto &r) { return r.name == *name; })) continue;
            const bool infiniband = sysfs.line("class/net/" + name->str() + "/type") == "32"; // ARPHRD_INFINIBAND
            all.push_back({.name = *name, .infiniband = infiniband});
            wait.push_back(*name);
        }
    }
    return all;
}

RdmaFacts read_rdma_facts(const Dir &sysfs, const LinkRow &row)
{
    RdmaFacts facts{.link = *row.name, .ifindex = row.ifindex};
    auto rows = interfaces_below(sysfs, *row.name);
    rows.push_back(row);
    auto devices = read_rdma_devices(sysfs, rows);
    const bool has_cm = has_module(sysfs, "rdma_cm");
    for (auto &device : devices ? *devices : std::vector<RdmaDevice>{}) {
        facts.devices.push_back(device.name);
        for (auto &port : device.ports) {
            if (!port.layer) continue;
            const auto gids = *port.layer == LinkLayer::roce ? read_gids(sysfs, device, port, *row.name) : Gids{};
            if (port.interfaces.empty() && !gids.ours) continue;
            facts.ports.push_back({.device = device.name,
                                   .port = port.number,
                                   .layer = *port.layer,
                                   .has_v1 = gids.v1,
                                   .has_v2 = gids.v2,
                                   .has_cm = has_cm});
            const bool below = std::none_of(port.interfaces.begin(), port.interfaces.end(),
                                            [&](const auto &n) { return n.name == *row.name; });
            if (below || *port.layer != LinkLayer::infiniband || !port.guid) continue;
            facts.port_guid = *port.guid;
            facts.vfs = read_admin_guids(sysfs, device.name, port.number, row.name->str());
        }
    }
    if (facts.port_guid && facts.vfs.empty()) facts.vfs = read_vfs(row);
    for (auto &vf : facts.vfs) look_who_has_it(sysfs, row.name->str(), rdma_users, vf);
    return facts;
}

Guid automatic_guid(std::string_view machine_id, Guid port, unsigned vf)
{
    const auto text = std::string(machine_id) + " " + port.bytes() + " " + std::to_string(vf);
    const std::unique_ptr<char, decltype(&::g_free)> hash(
        ::g_compute_checksum_for_data(G_CHECKSUM_SHA256, reinterpret_cast<const guchar *>(text.data()), text.size()),
        ::g_free);
    auto guid = Guid::parse(std::string_view(hash.get(), 16)).value_or(Guid{1});
    guid.value |= 0x02ULL << 56;
    guid.value &= ~(0x01ULL << 56);
    return guid;
}

std::optional<Guid> automatic_guid(const Dir &root, Guid port, unsigned vf)
{
    const auto id = root.line("etc/machine-id");
    return id.size() == 32 ? std::optional(automatic_guid(id, port, vf)) : std::nullopt;
}

namespace
{
constexpr std::size_t longest = 4U << 20; // a GUID for each of 65535 virtual functions
}

const char *const words_directory = NMIB_WORDS; // a std::string could fail to allocate at load

Result<RdmaWordsRead> read_rdma_words(const std::string &directory, const std::string &uuid)
{
    if (uuid.empty() || uuid.starts_with('.') || uuid.find('/') != uuid.npos) return RdmaWordsRead{};
    const auto dir = Dir::open(directory);
    const auto is_roots = dir.and_then([&](auto &d) { return d.only_root_writes(); });
    const auto text = is_roots ? dir->read_trusted(uuid, longest) : Result<std::string>(is_roots.error());
    if (text) return parse_rdma_words(*text);
    if (text.error().kind == Error::Kind::absent) return RdmaWordsRead{};
    return text.error();
}

} // namespace nmib
