// SPDX-License-Identifier: LGPL-2.1-or-later
// A TUN interface can be of type InfiniBand, but no kernel gives it the 20-byte address and the kind of IPoIB. Linked
// with --wrap=recvmsg into the dispatcher helper's own objects, this puts both behind rtnetlink's answer; everything
// else is as installed.
#include <array>
#include <cstdint>
#include <cstring>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

extern "C" ssize_t __real_recvmsg(int fd, msghdr *message, int flags);
extern "C" ssize_t __wrap_recvmsg(int fd, msghdr *message, int flags);

ssize_t __wrap_recvmsg(int fd, msghdr *message, int flags)
{
    const auto got = __real_recvmsg(fd, message, flags);
    auto *header = static_cast<nlmsghdr *>(message->msg_iov[0].iov_base);
    if (got < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(ifinfomsg))) || header->nlmsg_type != RTM_NEWLINK) return got;
    const auto *link = static_cast<const ifinfomsg *>(NLMSG_DATA(header));
    const auto size = NLMSG_ALIGN(header->nlmsg_len);
    struct {
        rtattr address{RTA_LENGTH(20), IFLA_ADDRESS};
        std::array<std::uint8_t, 20> bytes{0x80, 0, 0, 0x48, 0xfe, 0x80};
        rtattr info{RTA_LENGTH(sizeof(rtattr) + 8), IFLA_LINKINFO}; // the last one of a type counts
        rtattr kind{RTA_LENGTH(6), IFLA_INFO_KIND};
        std::array<char, 8> name{"ipoib"};
    } more;
    if (link->ifi_type != ARPHRD_INFINIBAND || static_cast<std::size_t>(got) != size ||
        size + sizeof(more) > message->msg_iov[0].iov_len)
        return got;
    std::memcpy(reinterpret_cast<char *>(header) + size, &more, sizeof(more));
    header->nlmsg_len = static_cast<std::uint32_t>(size + sizeof(more));
    return static_cast<ssize_t>(header->nlmsg_len);
}
