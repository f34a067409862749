// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/check/peer.hpp"

#include "cli/base/words.hpp"
#include "core/printable.hpp"
#include "probe/unique_fd.hpp"

#include <arpa/inet.h>
#include <cstring>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace nmib::cli
{

namespace
{
constexpr std::uint16_t discard_port = 9; // RFC 863

std::optional<IpAddress> address_of(const addrinfo &found)
{
    IpAddress a;
    if (found.ai_family == AF_INET) {
        sockaddr_in in{};
        std::memcpy(&in, found.ai_addr, sizeof(in));
        std::memcpy(a.bytes.data(), &in.sin_addr, sizeof(in.sin_addr));
        return a;
    }
    if (found.ai_family != AF_INET6) return std::nullopt;
    sockaddr_in6 in{};
    std::memcpy(&in, found.ai_addr, sizeof(in));
    std::memcpy(a.bytes.data(), &in.sin6_addr, sizeof(in.sin6_addr));
    a.six = true;
    a.scope = static_cast<int>(in.sin6_scope_id);
    return a;
}

struct Endpoint {
    sockaddr_storage storage{};
    socklen_t size = 0;
};

Endpoint endpoint(const IpAddress &a)
{
    Endpoint e;
    if (a.six) {
        sockaddr_in6 in{};
        in.sin6_family = AF_INET6;
        in.sin6_port = htons(discard_port);
        in.sin6_scope_id = static_cast<std::uint32_t>(a.scope);
        std::memcpy(&in.sin6_addr, a.bytes.data(), sizeof(in.sin6_addr));
        std::memcpy(&e.storage, &in, e.size = sizeof(in));
    } else {
        sockaddr_in in{};
        in.sin_family = AF_INET;
        in.sin_port = htons(discard_port);
        std::memcpy(&in.sin_addr, a.bytes.data(), sizeof(in.sin_addr));
        std::memcpy(&e.storage, &in, e.size = sizeof(in));
    }
    return e;
}
} // namespace

Result<IpAddress> resolve(const std::string &peer, int family)
{
    addrinfo hints{};
    hints.ai_family = family;
    hints.ai_socktype = SOCK_DGRAM;
    addrinfo *list = nullptr;
    const int failed = ::getaddrinfo(peer.c_str(), nullptr, &hints, &list);
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, ::freeaddrinfo);
    for (const auto *a = failed ? nullptr : list; a; a = a->ai_next)
        if (const auto address = address_of(*a)) return *address;
    return Error{Error::Kind::absent,
                 form("%s: %s", printable(peer).c_str(), ::gai_strerror(failed ? failed : EAI_NONAME))};
}

std::string text_of(const IpAddress &address)
{
    char text[INET6_ADDRSTRLEN] = {}, name[IF_NAMESIZE] = {};
    ::inet_ntop(address.six ? AF_INET6 : AF_INET, address.bytes.data(), text, sizeof(text));
    const bool link_local = address.six && address.bytes[0] == 0xfe && (address.bytes[1] & 0xc0) == 0x80;
    if (!link_local || address.scope <= 0 || !::if_indextoname(static_cast<unsigned>(address.scope), name)) return text;
    return std::string(text) + "%" + name;
}

void stir(const IpAddress &address)
{
    const auto to = endpoint(address);
    const UniqueFd fd(::socket(to.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (fd) (void)::sendto(fd.get(), "", 0, 0, reinterpret_cast<const sockaddr *>(&to.storage), to.size);
}

} // namespace nmib::cli
