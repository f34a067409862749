// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/number.hpp"
#include "probe/rdma/facts.hpp"
#include "probe/rdma/netlink.hpp"

#include <algorithm>
#include <cstring>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

namespace nmib
{

namespace
{
template<class T> std::optional<T> value(const nlattr *attribute)
{
    T copy{};
    if (!attribute || ::nla_len(attribute) < static_cast<int>(sizeof(T))) return std::nullopt;
    std::memcpy(&copy, ::nla_data(attribute), sizeof(T));
    return copy;
}

/// IFLA_VFINFO_LIST (rtnetlink.c, rtnl_fill_vfinfo).
int collect(nl_msg *message, void *to)
{
    auto &all = *static_cast<std::vector<VfNow> *>(to);
    const auto *header = ::nlmsg_hdr(message);
    nlattr *list = ::nlmsg_find_attr(const_cast<nlmsghdr *>(header), sizeof(ifinfomsg), IFLA_VFINFO_LIST);
    if (!list) return NL_OK;
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
    return NL_OK;
}

/// Who has a device open, of RDMA_NLDEV_CMD_RES_GET (drivers/infiniband/core/nldev.c, fill_res_info): "ctx".
struct Users {
    const std::string &device;
    std::optional<unsigned> count{};
};

int count_users(nl_msg *message, void *to)
{
    auto &users = *static_cast<Users *>(to);
    auto *header = ::nlmsg_hdr(message);
    auto *name = ::nlmsg_find_attr(header, 0, RDMA_NLDEV_ATTR_DEV_NAME);
    auto *summary = ::nlmsg_find_attr(header, 0, RDMA_NLDEV_ATTR_RES_SUMMARY);
    if (!name || !summary || users.device != ::nla_get_string(name)) return NL_OK;
    nlattr *entry = nullptr;
    int left = 0;
    nla_for_each_nested(entry, summary, left)
    {
        auto *kind = ::nla_find(static_cast<nlattr *>(::nla_data(entry)), ::nla_len(entry),
                                RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME);
        const auto now = value<std::uint64_t>(::nla_find(static_cast<nlattr *>(::nla_data(entry)), ::nla_len(entry),
                                                         RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR));
        if (kind && now && std::string_view(::nla_get_string(kind)) == "ctx")
            users.count = static_cast<unsigned>(std::min<std::uint64_t>(*now, UINT32_MAX));
    }
    return NL_OK;
}

bool is_down(const Dir &function, const std::string &interface)
{
    const auto flags = function.read("net/" + interface + "/flags", 64);
    const auto number = flags ? parse_hex(trim(*flags), UINT32_MAX) : std::nullopt;
    return number && (*number & 1U) == 0; // IFF_UP
}

std::vector<std::string> names_below(const Dir &function, const char *folder)
{
    const auto dir = function.sub(folder);
    const auto names = dir ? dir->list(64) : Result<std::vector<std::string>>(dir.error());
    return names ? *names : std::vector<std::string>{};
}
} // namespace

void look_who_has_it(const Dir &sysfs, const std::string &port, const RdmaUsers &users, VfNow &vf)
{
    const auto function = sysfs.sub("class/net/" + port + "/device/virtfn" + std::to_string(vf.number));
    const auto driver = function ? function->symlink_name("driver") : Result<std::string>(Error{});
    if (!driver) return;
    vf.bound = *driver == "mlx5_core" || *driver == "mlx4_core";
    // sysfs hides what is in another network namespace.
    const auto interfaces = names_below(*function, "net"), devices = names_below(*function, "infiniband");
    const bool idle =
        vf.bound && !interfaces.empty() && !devices.empty() &&
        std::all_of(interfaces.begin(), interfaces.end(), [&](const auto &name) { return is_down(*function, name); }) &&
        std::all_of(devices.begin(), devices.end(), [&](const auto &name) { return users(name) == 0U; });
    vf.in_use = !idle;
    const auto node = devices.size() == 1 ? function->read("infiniband/" + devices.front() + "/node_guid", 64)
                                          : Result<std::string>(Error{});
    if (vf.bound && vf.file.empty() && node) vf.read = Guid::parse(trim(*node)); // mlx4 gives only the port's
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
        const auto index = sysfs.read(iov + *function + "/" + ports + "gid_idx/0", 64);
        const auto entry = index ? parse_decimal(trim(*index), 127) : std::nullopt; // 0 is the card's own
        if (!entry || *entry == 0) continue;
        VfNow vf{.number = number, .file = iov + ports + "admin_guids/" + std::to_string(*entry)};
        const auto text = sysfs.read(vf.file, 64);
        const auto guid = text ? parse_hex(trim(*text), UINT64_MAX) : std::nullopt;
        if (!guid) continue;
        vf.node = vf.port = Guid{*guid};
        all.push_back(vf);
    }
}

std::optional<unsigned> rdma_users(const std::string &device)
{
    RdmaSocket socket;
    const auto ask = RdmaSocket::make(RDMA_NLDEV_CMD_RES_GET, NLM_F_DUMP);
    Users users{device};
    if (!socket || !ask || socket.ask(ask.get(), count_users, &users) < 0) return std::nullopt;
    return users.count;
}

std::vector<VfNow> read_vfs(const LinkRow &row)
{
    std::vector<VfNow> all;
    const std::unique_ptr<nl_sock, void (*)(nl_sock *)> socket(::nl_socket_alloc(), ::nl_socket_free);
    const std::unique_ptr<nl_msg, void (*)(nl_msg *)> ask(::nlmsg_alloc_simple(RTM_GETLINK, NLM_F_REQUEST),
                                                          ::nlmsg_free);
    if (!socket || !ask || ::nl_connect(socket.get(), NETLINK_ROUTE) < 0) return all;
    ::nl_socket_set_msg_buf_size(socket.get(), 1 << 20); // a card has up to 1000 of them
    ifinfomsg ifi{};
    ifi.ifi_index = row.ifindex;
    if (::nlmsg_append(ask.get(), &ifi, sizeof(ifi), NLMSG_ALIGNTO) < 0 ||
        ::nla_put_u32(ask.get(), IFLA_EXT_MASK, RTEXT_FILTER_VF) < 0)
        return all;
    ::nl_socket_modify_cb(socket.get(), NL_CB_VALID, NL_CB_CUSTOM, collect, &all);
    if (::nl_send_auto(socket.get(), ask.get()) < 0 || ::nl_recvmsgs_default(socket.get()) < 0) all.clear();
    return all;
}

} // namespace nmib
