// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/rdma/soft.hpp"

#include "probe/rdma/netlink.hpp"

#include <cerrno>

namespace nmib
{

namespace
{
struct Wanted {
    const std::string &name;
    std::optional<std::uint32_t> index{};
};

int compare(nl_msg *message, void *to)
{
    auto &wanted = *static_cast<Wanted *>(to);
    auto *header = ::nlmsg_hdr(message);
    const auto *name = ::nlmsg_find_attr(header, 0, RDMA_NLDEV_ATTR_DEV_NAME);
    const auto *index = ::nlmsg_find_attr(header, 0, RDMA_NLDEV_ATTR_DEV_INDEX);
    if (name && index && ::nla_len(index) == 4 && wanted.name == ::nla_get_string(const_cast<nlattr *>(name)))
        wanted.index = ::nla_get_u32(const_cast<nlattr *>(index));
    return NL_OK;
}

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
    RdmaSocket socket;
    const auto m = RdmaSocket::make(RDMA_NLDEV_CMD_NEWLINK);
    if (!socket || !m) return Error{Error::Kind::io, "RDMA netlink cannot be opened (modprobe ib_core)"};
    if (::nla_put_string(m.get(), RDMA_NLDEV_ATTR_DEV_NAME, step.name.c_str()) < 0 ||
        ::nla_put_string(m.get(), RDMA_NLDEV_ATTR_LINK_TYPE, std::string(word(step.type)).c_str()) < 0 ||
        ::nla_put_string(m.get(), RDMA_NLDEV_ATTR_NDEV_NAME, step.link.c_str()) < 0)
        return sys_error(ENOMEM, step.name);
    const int code = socket.acknowledged(m.get());
    if (code != 0) return refused(code, step);
    return {};
}

Result<void> remove_soft_rdma(const RemoveSoft &step)
{
    RdmaSocket socket;
    const auto list = RdmaSocket::make(RDMA_NLDEV_CMD_GET, NLM_F_DUMP);
    const auto m = RdmaSocket::make(RDMA_NLDEV_CMD_DELLINK);
    if (!socket || !list || !m) return Error{Error::Kind::io, "RDMA netlink cannot be opened (modprobe ib_core)"};
    Wanted wanted{step.name};
    if (socket.ask(list.get(), compare, &wanted) < 0)
        return Error{Error::Kind::io, "the list of RDMA devices cannot be read"};
    if (!wanted.index) return {};
    if (::nla_put_u32(m.get(), RDMA_NLDEV_ATTR_DEV_INDEX, *wanted.index) < 0) return sys_error(ENOMEM, step.name);
    const int code = socket.acknowledged(m.get());
    if (code != 0 && code != ENODEV) return sys_error(code, "RDMA device " + step.name + ": cannot be removed");
    return {};
}

} // namespace nmib
