// SPDX-License-Identifier: LGPL-2.1-or-later
/// A netlink socket (libnl-3), for one request after the other.
#pragma once
#include "core/base/result.hpp"

#include <memory>
#include <netlink/msg.h>
#include <netlink/netlink.h>

namespace nmib
{

using NetlinkMessage = std::unique_ptr<nl_msg, void (*)(nl_msg *)>;

/// A request of this type that begins with `header`; null where there is no memory.
template<class Header> NetlinkMessage netlink_request(int type, int flags, Header header)
{
    NetlinkMessage m(::nlmsg_alloc_simple(type, NLM_F_REQUEST | flags), ::nlmsg_free);
    if (m && ::nlmsg_append(m.get(), &header, sizeof(header), NLMSG_ALIGNTO) < 0) m.reset();
    return m;
}

/// A request about an interface (rtnetlink(7)): `flags` of it are to be as in `set`.
NetlinkMessage link_request(int type, int ifindex, unsigned flags = 0, unsigned set = 0);

class Netlink
{
public:
    Netlink() = default;
    /// `protocol` is NETLINK_ROUTE or NETLINK_RDMA.
    static Result<Netlink> open(int protocol);
    /// Calls `each` with every answer to the request. 0, or the kernel's errno: libnl's own numbers hide ENFILE and
    /// others. EINTR: a list changed while it was read; ENOBUFS: the answers were more than the buffer holds.
    template<class Each> int ask(nl_msg *message, Each each)
    {
        const auto call = [](nl_msg *answer, void *to) noexcept -> int {
            (*static_cast<Each *>(to))(::nlmsg_hdr(answer));
            return NL_OK;
        };
        return send(message, ::nl_recvmsgs_default, call, &each);
    }
    /// Waits until the request is done. 0, or the kernel's errno.
    int acknowledged(nl_msg *message);

private:
    struct Free {
        void operator()(nl_sock *s) const noexcept;
    };
    explicit Netlink(nl_sock *s) : sock_(s) {}
    int send(nl_msg *message, int (*receive)(nl_sock *), nl_recvmsg_msg_cb_t each, void *to);
    std::unique_ptr<nl_sock, Free> sock_;
};

} // namespace nmib
