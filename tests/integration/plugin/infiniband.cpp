// SPDX-License-Identifier: LGPL-2.1-or-later
/// Part of fault.so: shows a tap interface of type InfiniBand (TUNSETLINK) to NetworkManager and to the plugin as an
/// IPoIB interface. Changes the kernel's messages about interfaces. A P_Key that is written to create_child or
/// delete_child goes to /run/children, which makes or deletes the child.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace
{
constexpr std::uint16_t address_size = 20;

template<class F> void for_each(rtattr *attribute, std::size_t left, F change)
{
    for (int n = static_cast<int>(left); RTA_OK(attribute, n); attribute = RTA_NEXT(attribute, n)) change(attribute);
}

/// Replaces the bytes at `to` by an attribute, and returns the place after the attribute.
char *put(char *to, unsigned type, const void *value, std::size_t size)
{
    const rtattr head{static_cast<std::uint16_t>(RTA_LENGTH(size)), static_cast<std::uint16_t>(type)};
    std::memset(to, 0, RTA_SPACE(size));
    std::memcpy(to, &head, sizeof(head));
    if (size) std::memcpy(to + RTA_LENGTH(0), value, size);
    return to + RTA_SPACE(size);
}

/// Overwrites the attributes of a tap interface; those of an IPoIB interface need less room.
void as_ipoib(rtattr *linkinfo, std::uint16_t key)
{
    constexpr std::uint16_t mode = IPOIB_MODE_DATAGRAM;
    char *const begin = static_cast<char *>(RTA_DATA(linkinfo)), *const end = begin + RTA_PAYLOAD(linkinfo);
    char *const data = put(begin, IFLA_INFO_KIND, "ipoib", 6);
    put(data, IFLA_INFO_DATA, nullptr, 0);
    char *rest = put(data + RTA_LENGTH(0), IFLA_IPOIB_PKEY, &key, sizeof(key));
    rest = put(rest, IFLA_IPOIB_MODE, &mode, sizeof(mode));
    const rtattr unread{static_cast<std::uint16_t>(end - rest), IFLA_IPOIB_MAX + 1},
        whole{static_cast<std::uint16_t>(end - data), IFLA_INFO_DATA};
    std::memcpy(rest, &unread, sizeof(unread));
    std::memcpy(data, &whole, sizeof(whole));
}

/// The alias of the tap interface is the address. The group has the P_Key without bit 15 in its upper 16 bits, and the
/// index of the parent in its lower 16 bits.
void change(ifinfomsg *link, std::size_t size)
{
    std::uint32_t group = 0;
    const auto is_group = [&](rtattr *a) {
        if (a->rta_type == IFLA_GROUP) std::memcpy(&group, RTA_DATA(a), sizeof(group));
    };
    for_each(IFLA_RTA(link), size, is_group);
    for_each(IFLA_RTA(link), size, [&](rtattr *a) {
        char *const value = static_cast<char *>(RTA_DATA(a));
        const std::uint32_t parent = group & 0xffff;
        if (a->rta_type == IFLA_IFALIAS && RTA_PAYLOAD(a) == address_size + 1) {
            a->rta_type = IFLA_ADDRESS;
            a->rta_len = RTA_LENGTH(address_size);
            put(value + address_size, IFLA_MAX + 1, nullptr, 0); // what is left of the alias and its padding
        } else if (a->rta_type == IFLA_GROUP && parent) {
            a->rta_type = IFLA_LINK;
            std::memcpy(value, &parent, sizeof(parent));
        } else if (a->rta_type == IFLA_LINKINFO) {
            as_ipoib(a, static_cast<std::uint16_t>(group >> 16 | 0x8000));
        }
    });
}
} // namespace

extern "C" {

ssize_t recvmsg(int fd, msghdr *message, int flags)
{
    static const auto next = reinterpret_cast<ssize_t (*)(int, msghdr *, int)>(::dlsym(RTLD_NEXT, "recvmsg"));
    const auto size = next(fd, message, flags);
    const auto *from = static_cast<const sockaddr *>(message->msg_name);
    if (size <= 0 || (flags & MSG_PEEK) || !from || message->msg_namelen < sizeof(sockaddr_nl) ||
        from->sa_family != AF_NETLINK)
        return size;
    auto *header = static_cast<nlmsghdr *>(message->msg_iov->iov_base);
    for (auto left = static_cast<unsigned>(size); NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
        auto *link = static_cast<ifinfomsg *>(NLMSG_DATA(header));
        if ((header->nlmsg_type == RTM_NEWLINK || header->nlmsg_type == RTM_DELLINK) &&
            link->ifi_type == ARPHRD_INFINIBAND)
            change(link, IFLA_PAYLOAD(header));
    }
    return size;
}

/// sysfs in the sandbox is read-only, so the files are not the kernel's.
ssize_t write(int fd, const void *data, std::size_t size)
{
    static const auto next = reinterpret_cast<ssize_t (*)(int, const void *, std::size_t)>(::dlsym(RTLD_NEXT, "write"));
    const std::string text(static_cast<const char *>(data), size < 3 || size > 8 ? 0 : size);
    if (!text.starts_with("0x")) return next(fd, data, size);
    char path[64] = {};
    const auto length = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path, sizeof(path) - 1);
    const std::string file(path, length < 0 ? 0 : static_cast<std::size_t>(length));
    if (!file.ends_with("/create_child") && !file.ends_with("/delete_child")) return next(fd, data, size);
    if (std::system(("env -u LD_PRELOAD /run/children " + file + " " + text).c_str()) == 0)
        return static_cast<ssize_t>(size);
    errno = ENODEV;
    return -1;
}
}
