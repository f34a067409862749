// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/port/networks.hpp"

#include "core/base/number.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ifaddrs.h>
#include <memory>
#include <netinet/in.h>

namespace nmib
{

namespace
{
/// The kernel goes by the larger of `all` and the interface's own (Documentation/networking/ip-sysctl.rst).
std::uint64_t setting(const Dir &proc, const std::string &interface, const char *name)
{
    std::uint64_t largest = 0;
    for (const auto &whose : {std::string("all"), interface})
        largest = std::max(largest, proc.decimal("sys/net/ipv4/conf/" + whose + "/" + name, 255).value_or(0));
    return largest;
}

std::uint32_t bits(const sockaddr *address)
{
    sockaddr_in in{};
    std::memcpy(&in, address, sizeof(in));
    return ntohl(in.sin_addr.s_addr);
}

/// "10.0.0.0/24"
std::string network_of(std::uint32_t address, std::uint32_t mask)
{
    const in_addr network{htonl(address & mask)};
    char text[INET_ADDRSTRLEN] = {};
    ::inet_ntop(AF_INET, &network, text, sizeof(text));
    return std::string(text) + "/" + std::to_string(std::popcount(mask));
}
} // namespace

Result<std::vector<IpNetwork>> read_networks(const Dir &proc, std::span<const std::string> interfaces)
{
    ifaddrs *list = nullptr;
    if (::getifaddrs(&list) != 0) return sys_error(errno, "addresses");
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, ::freeifaddrs);
    std::vector<IpNetwork> all;
    for (const auto *a = list; a; a = a->ifa_next) {
        if (!a->ifa_addr || !a->ifa_netmask || a->ifa_addr->sa_family != AF_INET) continue;
        if (std::find(interfaces.begin(), interfaces.end(), a->ifa_name) == interfaces.end()) continue;
        const bool alone = setting(proc, a->ifa_name, "arp_ignore") != 0 &&
                           setting(proc, a->ifa_name, "arp_announce") == 2 &&
                           setting(proc, a->ifa_name, "rp_filter") != 1;
        all.push_back({a->ifa_name, network_of(bits(a->ifa_addr), bits(a->ifa_netmask)), alone});
    }
    return all;
}

} // namespace nmib
