// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/rdma/soft.hpp"

#include "probe/rdma/netlink.hpp"

#include <cerrno>
#include <netlink/attr.h>
#include <rdma/rdma_netlink.h>

namespace nmib
{

namespace
{
Error no_netlink() { return {Error::Kind::io, "RDMA netlink cannot be opened (modprobe ib_core)"}; }

Error refused(int code, const AddSoft &step)
{
    const auto type = std::string(word(step.type));
    const auto where = "RDMA device " + step.name + ": ";
    const auto say = [&](const std::string &what) { return Error{Error::Kind::refused, where + what}; };
    switch (code) {
    case EEXIST: return say(step.link.str() + " has one of this type already, under another name (rdma link)");
    case ENFILE: return say("another interface has a device of that name (rdma link)");
    case EINVAL:
        return say("this kernel makes none of type " + type + " on " + step.link.str() + " (modprobe " +
                   (step.type == SoftRdma::rxe ? "rdma_rxe" : "siw") + " says whether it has the module)");
    case ENODEV: return say(step.link.str() + " is gone");
    case EPERM:
        return say("the kernel makes none on " + step.link.str() + "; on a VLAN it belongs to the VLAN's parent");
    default: return sys_error(code, where + "cannot be made");
    }
}
} // namespace

Result<void> add_soft_rdma(const AddSoft &step)
{
    auto socket = Netlink::open(NETLINK_RDMA);
    const auto m = rdma_request(RDMA_NLDEV_CMD_NEWLINK);
    if (!socket || !m) return no_netlink();
    if (::nla_put_string(m.get(), RDMA_NLDEV_ATTR_DEV_NAME, step.name.c_str()) < 0 ||
        ::nla_put_string(m.get(), RDMA_NLDEV_ATTR_LINK_TYPE, std::string(word(step.type)).c_str()) < 0 ||
        ::nla_put_string(m.get(), RDMA_NLDEV_ATTR_NDEV_NAME, step.link.c_str()) < 0)
        return sys_error(ENOMEM, step.name);
    const int code = socket->acknowledged(m.get());
    if (code != 0) return refused(code, step);
    return {};
}

Result<void> remove_soft_rdma(const RemoveSoft &step)
{
    auto socket = Netlink::open(NETLINK_RDMA);
    const auto m = rdma_request(RDMA_NLDEV_CMD_DELLINK);
    if (!socket || !m) return no_netlink();
    const auto index = rdma_index(*socket, step.name);
    if (!index) return index.error();
    if (!*index) return {};
    if (::nla_put_u32(m.get(), RDMA_NLDEV_ATTR_DEV_INDEX, **index) < 0) return sys_error(ENOMEM, step.name);
    const int code = socket->acknowledged(m.get());
    if (code != 0 && code != ENODEV) return sys_error(code, "RDMA device " + step.name + ": cannot be removed");
    return {};
}

} // namespace nmib
