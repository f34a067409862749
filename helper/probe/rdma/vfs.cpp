// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/number.hpp"
#include "probe/rdma/facts.hpp"

#include <algorithm>
#include <cstring>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

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

bool is_up(const Dir &function)
{
    const auto net = function.sub("net");
    const auto names = net ? net->list(64) : Result<std::vector<std::string>>(net.error());
    for (const auto &name : names ? *names : std::vector<std::string>{}) {
        const auto flags = net->read(name + "/flags", 64);
        const auto number = flags ? parse_hex(trim(*flags), UINT32_MAX) : std::nullopt;
        if (number && (*number & 1U) != 0) return true; // IFF_UP
    }
    return false;
}

void look_who_has_it(const Dir &sysfs, const std::string &port, VfNow &vf)
{
    const auto function = sysfs.sub("class/net/" + port + "/device/virtfn" + std::to_string(vf.number));
    const auto driver = function ? function->symlink_name("driver") : Result<std::string>(Error{});
    if (!driver) return;
    vf.bound = *driver == "mlx5_core" || *driver == "mlx4_core";
    vf.in_use = !vf.bound || is_up(*function);
}
} // namespace

std::vector<VfNow> read_vfs(const Dir &sysfs, const LinkRow &row)
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
    for (auto &vf : all) look_who_has_it(sysfs, row.name->str(), vf);
    return all;
}

} // namespace nmib
