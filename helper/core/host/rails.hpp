// SPDX-License-Identifier: LGPL-2.1-or-later
/// Rails: interfaces that share an IPv4 subnet. Each answers ARP only for its own addresses, and sends from them.
#pragma once
#include "core/host/file.hpp"
#include "core/ib/ifname.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace nmib
{

/// An interface, and the profile that has its route and its rule.
struct Rail {
    IfName interface;
    std::string uuid{}; ///< of the profile
};

/// Values of /proc/sys/net/ipv4/conf/INTERFACE. The kernel uses the larger value of `all` and the interface.
constexpr std::pair<const char *, const char *> rail_values[] = {
    {"arp_ignore", "1"}, {"arp_announce", "2"}, {"rp_filter", "2"}};

/// Parses the name of an interface that may stand in a file of sysctl.d: letters, digits, ".", "_" and "-"; neither
/// "all" nor "default".
std::optional<IfName> parse_rail_name(std::string_view word);

/// The file for sysctl.d(5). Without rails: only its path. Rails with one name (one is not active) are neighbours.
HostFile rails_file(std::span<const Rail> rails);
/// Returns the rails of such a file.
std::vector<Rail> rails_in(std::string_view text);

/// Numbers of the routing tables of rails.
constexpr std::uint32_t first_rail_table = 0x4942, last_rail_table = 0x4d41; // "IB"
/// Returns a number for a routing table, and for the priority of its rule (below 32766, the main table's), and adds it
/// to `used`; nullopt if all are in use.
std::optional<std::uint32_t> take_rail_table(std::set<std::uint32_t> &used);

/// An IPv4 address in host byte order.
struct RailAddress {
    std::uint32_t address = 0;
    unsigned prefix = 32; ///< 0 to 32
    std::string str() const;
    std::string network() const; ///< "10.0.0.0/24"
    friend bool operator==(const RailAddress &, const RailAddress &) = default;
};
/// Removes addresses in subnets that no other interface has. `all`: the addresses of each interface.
void keep_shared(std::span<std::vector<RailAddress>> all);

} // namespace nmib
