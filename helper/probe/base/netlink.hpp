// SPDX-License-Identifier: LGPL-2.1-or-later
/// A netlink socket (libnl-3), for one request at a time.
#pragma once
#include "core/base/result.hpp"

#include <memory>
#include <netlink/msg.h>
#include <netlink/netlink.h>

namespace nmib
{

using NetlinkMessage = std::unique_ptr<nl_msg, void (*)(nl_msg *)>;

/// Returns a request that begins with `header`; null if there is no memory.
template<class Header> NetlinkMessage netlink_request(int type, int flags, Header header)
{
    NetlinkMessage m(::nlmsg_alloc_simple(type, NLM_F_REQUEST | flags), ::nlmsg_free);
    if (m && ::nlmsg_append(m.get(), &header, sizeof(header), NLMSG_ALIGNTO) < 0) m.reset();
    return m;
}

/// Returns a request about an interface (rtnetlink(7)) that changes `flags` to the values in `set`.
NetlinkMessage link_request(int type, int ifindex, unsigned flags = 0, unsigned set = 0);

class Netlink
{
public:
    Netlink() = default;
    /// `protocol` is NETLINK_ROUTE or NETLINK_RDMA.
    static Result<Netlink> open(int protocol);
    /// Calls `each` with every answer. Returns 0 or the kernel's errno, because libnl's numbers hide ENFILE and others.
    /// EINTR: a list changed while it was read. ENOBUFS: the answers exceeded the buffer.
    template<class Each> int ask(nl_msg *message, Each each)
    {
        const auto call = [](nl_msg *answer, void *to) noexcept -> int {
            (*static_cast<Each *>(to))(::nlmsg_hdr(answer));
            return NL_OK;
        };
        return send(message, ::nl_recvmsgs_default, call, &each);
    }
    /// Waits for the acknowledgement. Returns 0 or the kernel's errno.
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
