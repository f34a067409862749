// SPDX-License-Identifier: LGPL-2.1-or-later
/// A socket for RDMA netlink (include/uapi/rdma/rdma_netlink.h).
#pragma once
#include <cerrno>
#include <memory>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

namespace nmib
{

class RdmaSocket
{
public:
    RdmaSocket() : sock_(::nl_socket_alloc(), ::nl_socket_free)
    {
        open_ = sock_ && ::nl_connect(sock_.get(), NETLINK_RDMA) == 0;
        if (open_) ::nl_socket_modify_err_cb(sock_.get(), NL_CB_CUSTOM, keep, &errno_);
    }
    explicit operator bool() const noexcept { return open_; }
    using Message = std::unique_ptr<nl_msg, void (*)(nl_msg *)>;
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
    /// Calls `each` for every answer. Below 0: there is none.
    int ask(nl_msg *message, nl_recvmsg_msg_cb_t each, void *to)
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

} // namespace nmib
