// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/rdma/soft.hpp"

#include <cerrno>
#include <memory>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

namespace nmib
{

namespace
{
using Message = std::unique_ptr<nl_msg, void (*)(nl_msg *)>;

class RdmaSocket
{
public:
    RdmaSocket() : sock_(::nl_socket_alloc(), ::nl_socket_free)
    {
        open_ = sock_ && ::nl_connect(sock_.get(), NETLINK_RDMA) == 0;
        if (open_) ::nl_socket_modify_err_cb(sock_.get(), NL_CB_CUSTOM, keep, &errno_);
    }
    explicit operator bool() const noexcept { return open_; }
    static Message make(unsigned command, int flags = 0)
    {
        return {::nlmsg_alloc_simple(static_cast<int>(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command)), NLM_F_REQUEST | flags),
                ::nlmsg_free};
    }
    /// The kernel's errno; 0 when it is done. libnl's own numbers hide ENFILE and others.
    int acknowledged(nl_msg *message)
    {
        ::nlmsg_hdr(message)->nlmsg_flags |= NLM_F_ACK;
        errno_ = 0;
        if (::nl_send_auto(sock_.get(), message) < 0) return EIO;
        const int r = ::nl_wait_for_ack(sock_.get());
        return errno_ != 0 ? errno_ : r < 0 ? EIO : 0;
    }
    int dump(nl_msg *message, nl_recvmsg_msg_cb_t each, void *to)
    {
        ::nl_socket_modify_cb(sock_.get(), NL_CB_VALID, NL_CB_CUSTOM, each, to);
        if (::nl_send_auto(sock_.get(), message) < 0) return -1;
        return ::nl_recvmsgs_default(sock_.get());
    }

private:
    static int keep(sockaddr_nl *, nlmsgerr *error, void *to)
    {
        *static_cast<int *>(to) = -error->error;
        return NL_STOP;
    }
    std::unique_ptr<nl_sock, void (*)(nl_sock *)> sock_;
    int errno_ = 0;
    bool open_ = false;
};

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
    if (socket.dump(list.get(), compare, &wanted) < 0)
        return Error{Error::Kind::io, "the list of RDMA devices cannot be read"};
    if (!wanted.index) return {};
    if (::nla_put_u32(m.get(), RDMA_NLDEV_ATTR_DEV_INDEX, *wanted.index) < 0) return sys_error(ENOMEM, step.name);
    const int code = socket.acknowledged(m.get());
    if (code != 0 && code != ENODEV) return sys_error(code, "RDMA device " + step.name + ": cannot be removed");
    return {};
}

} // namespace nmib
