// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/number.hpp"
#include "probe/base/netlink.hpp"
#include "probe/rdma/facts.hpp"

#include <algorithm>
#include <cstring>
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

/// IFLA_VFINFO_LIST (rtnetlink.c, rtnl_fill_vfinfo).
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
    const auto driver = function ? function->symlink_name("driver") : Result<std::string>(Error{});
    if (!driver) return;
    vf.bound = *driver == "mlx5_core" || *driver == "mlx4_core";
    // sysfs hides what is in another network namespace.
    const auto interfaces = function->names("net"), devices = function->names("infiniband");
    const bool idle =
        vf.bound && !interfaces.empty() && !devices.empty() &&
        std::all_of(interfaces.begin(), interfaces.end(), [&](const auto &name) { return is_down(*function, name); }) &&
        std::all_of(devices.begin(), devices.end(), [&](const auto &name) { return users(name) == 0U; });
    vf.in_use = !idle;
    if (vf.bound && vf.file.empty() && devices.size() == 1) // mlx4 gives only the port's
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
        const auto entry = sysfs.decimal(iov + *function + "/" + ports + "gid_idx/0", 127); // 0 is the card's own
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

} // namespace nmib
