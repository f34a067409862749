// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/netlink.hpp"

#include <cerrno>
#include <linux/rtnetlink.h>
#include <netlink/errno.h>
#include <netlink/socket.h>

namespace nmib
{

namespace
{
int keep(sockaddr_nl *, nlmsgerr *error, void *to) noexcept
{
    *static_cast<int *>(to) = -error->error;
    return NL_STOP;
}
} // namespace

NetlinkMessage link_request(int type, int ifindex, unsigned flags, unsigned set)
{
    ifinfomsg ifi{};
    ifi.ifi_index = ifindex;
    ifi.ifi_change = flags;
    ifi.ifi_flags = set;
    return netlink_request(type, 0, ifi);
}

void Netlink::Free::operator()(nl_sock *s) const noexcept { ::nl_socket_free(s); }

Result<Netlink> Netlink::open(int protocol)
{
    Netlink n(::nl_socket_alloc());
    if (!n.sock_) return sys_error(ENOMEM, "netlink socket");
    ::nl_socket_disable_auto_ack(n.sock_.get());
    errno = 0;
    if (::nl_connect(n.sock_.get(), protocol) < 0) return sys_error(errno ? errno : EIO, "netlink socket");
    ::nl_socket_set_buffer_size(n.sock_.get(), 1 << 20, 0);
    return n;
}

int Netlink::acknowledged(nl_msg *message)
{
    ::nlmsg_hdr(message)->nlmsg_flags |= NLM_F_ACK;
    return send(message, ::nl_wait_for_ack, nullptr, nullptr);
}

int Netlink::send(nl_msg *message, int (*receive)(nl_sock *), nl_recvmsg_msg_cb_t each, void *to)
{
    int kernels = 0; // errno of the kernel; `own` is the errno of sendmsg(2) and recvmsg(2)
    ::nl_socket_modify_err_cb(sock_.get(), NL_CB_CUSTOM, keep, &kernels);
    ::nl_socket_modify_cb(sock_.get(), NL_CB_VALID, each ? NL_CB_CUSTOM : NL_CB_DEFAULT, each, to);
    errno = 0;
    int e = ::nl_send_auto(sock_.get(), message);
    if (e >= 0) e = receive(sock_.get());
    const int own = errno;
    ::nl_socket_modify_cb(sock_.get(), NL_CB_VALID, NL_CB_DEFAULT, nullptr, nullptr); // `to` ends with this call
    if (kernels || e >= 0) return kernels;
    if (e == -NLE_DUMP_INTR) return EINTR;
    return own ? own : EIO;
}

} // namespace nmib
