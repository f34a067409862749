// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/rdma_netlink.hpp"

#include <algorithm>
#include <cerrno>
#include <netlink/attr.h>
#include <rdma/rdma_netlink.h>

namespace nmib
{

namespace
{
std::string text(const nlattr *attribute) { return attribute ? ::nla_get_string(attribute) : ""; }

nlattr *attribute(nlmsghdr *answer, int type) { return ::nlmsg_find_attr(answer, 0, type); }

/// Returns the count "ctx": programs with the device open (drivers/infiniband/core/nldev.c, fill_res_info).
std::optional<unsigned> contexts(nlattr *summary)
{
    nlattr *entry = nullptr;
    int left = 0;
    nla_for_each_nested(entry, summary, left)
    {
        auto *first = static_cast<nlattr *>(::nla_data(entry));
        const auto *now = ::nla_find(first, ::nla_len(entry), RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR);
        if (now && ::nla_len(now) >= 8 &&
            text(::nla_find(first, ::nla_len(entry), RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME)) == "ctx")
            return static_cast<unsigned>(std::min<std::uint64_t>(::nla_get_u64(now), UINT32_MAX));
    }
    return std::nullopt;
}
} // namespace

NetlinkMessage rdma_request(unsigned command, int flags)
{
    return {::nlmsg_alloc_simple(static_cast<int>(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command)), NLM_F_REQUEST | flags),
            ::nlmsg_free};
}

Result<std::optional<std::uint32_t>> rdma_index(Netlink &socket, const std::string &device)
{
    std::optional<std::uint32_t> found;
    const auto m = rdma_request(RDMA_NLDEV_CMD_GET, NLM_F_DUMP);
    const int e = !m ? ENOMEM : socket.ask(m.get(), [&](nlmsghdr *answer) {
        const auto *index = attribute(answer, RDMA_NLDEV_ATTR_DEV_INDEX);
        if (index && ::nla_len(index) == 4 && text(attribute(answer, RDMA_NLDEV_ATTR_DEV_NAME)) == device)
            found = ::nla_get_u32(index);
    });
    if (e) return sys_error(e, "list of RDMA devices");
    return found;
}

std::string netdev_of(const std::string &device, unsigned port)
{
    std::string netdev;
    auto socket = Netlink::open(NETLINK_RDMA);
    const auto index = socket ? rdma_index(*socket, device) : socket.error();
    const auto m = rdma_request(RDMA_NLDEV_CMD_PORT_GET);
    if (!index || !*index || !m || ::nla_put_u32(m.get(), RDMA_NLDEV_ATTR_DEV_INDEX, **index) < 0 ||
        ::nla_put_u32(m.get(), RDMA_NLDEV_ATTR_PORT_INDEX, port) < 0)
        return netdev;
    (void)socket->ask(m.get(), [&](nlmsghdr *answer) { netdev = text(attribute(answer, RDMA_NLDEV_ATTR_NDEV_NAME)); });
    return netdev;
}

bool has_exclusive_devices()
{
    bool exclusive = false;
    auto socket = Netlink::open(NETLINK_RDMA);
    const auto m = rdma_request(RDMA_NLDEV_CMD_SYS_GET);
    if (!socket || !m) return false;
    (void)socket->ask(m.get(), [&](nlmsghdr *answer) {
        const auto *shared = attribute(answer, RDMA_NLDEV_SYS_ATTR_NETNS_MODE);
        exclusive = shared && ::nla_get_u8(shared) == 0;
    });
    return exclusive;
}

std::optional<unsigned> rdma_users(const std::string &device)
{
    std::optional<unsigned> users;
    auto socket = Netlink::open(NETLINK_RDMA);
    const auto m = rdma_request(RDMA_NLDEV_CMD_RES_GET, NLM_F_DUMP);
    if (!socket || !m) return std::nullopt;
    const int e = socket->ask(m.get(), [&](nlmsghdr *answer) {
        auto *summary = attribute(answer, RDMA_NLDEV_ATTR_RES_SUMMARY);
        if (summary && text(attribute(answer, RDMA_NLDEV_ATTR_DEV_NAME)) == device) users = contexts(summary);
    });
    return e ? std::nullopt : users;
}

} // namespace nmib
