// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/rdma/netdev.hpp"

#include "probe/rdma/netlink.hpp"

#include <optional>

namespace nmib
{

namespace
{
struct Found {
    const std::string &device;
    std::optional<std::uint32_t> index{};
    std::string netdev{};
};

int take(nl_msg *message, void *to)
{
    auto &found = *static_cast<Found *>(to);
    auto *header = ::nlmsg_hdr(message);
    auto *name = ::nlmsg_find_attr(header, 0, RDMA_NLDEV_ATTR_DEV_NAME);
    auto *index = ::nlmsg_find_attr(header, 0, RDMA_NLDEV_ATTR_DEV_INDEX);
    auto *netdev = ::nlmsg_find_attr(header, 0, RDMA_NLDEV_ATTR_NDEV_NAME);
    if (!name || !index || ::nla_len(index) != 4 || found.device != ::nla_get_string(name)) return NL_OK;
    found.index = ::nla_get_u32(index);
    if (netdev) found.netdev = ::nla_get_string(netdev);
    return NL_OK;
}
} // namespace

std::string netdev_of(const std::string &device, unsigned port)
{
    Found found{device};
    RdmaSocket devices;
    const auto list = RdmaSocket::make(RDMA_NLDEV_CMD_GET, NLM_F_DUMP);
    if (!devices || !list || devices.ask(list.get(), take, &found) < 0 || !found.index) return {};
    RdmaSocket socket;
    const auto ask = RdmaSocket::make(RDMA_NLDEV_CMD_PORT_GET);
    if (!socket || !ask || ::nla_put_u32(ask.get(), RDMA_NLDEV_ATTR_DEV_INDEX, *found.index) < 0 ||
        ::nla_put_u32(ask.get(), RDMA_NLDEV_ATTR_PORT_INDEX, port) < 0 || socket.ask(ask.get(), take, &found) < 0)
        return {};
    return found.netdev;
}

} // namespace nmib
