// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/verb/gateways.hpp"

#include "cli/base/gobject.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <optional>
#include <set>

namespace nmib::cli
{

namespace
{
using Address = std::array<unsigned char, sizeof(in6_addr)>;

std::optional<Address> parse(int family, const char *text)
{
    Address address{};
    if (!text || inet_pton(family, text, address.data()) != 1) return std::nullopt;
    return address;
}

struct Net {
    Address address;
    unsigned prefix;

    bool has(const Address &other) const
    {
        const auto whole = std::min<std::size_t>(prefix / 8, address.size());
        if (!std::equal(address.begin(), address.begin() + whole, other.begin())) return false;
        const auto rest = prefix % 8;
        return rest == 0 || whole == address.size() || (address[whole] ^ other[whole]) >> (8 - rest) == 0;
    }
};

constexpr Net link_local{{0xfe, 0x80}, 10};

bool is_on_link(NMIPRoute *route)
{
    auto *value = nm_ip_route_get_attribute(route, NM_IP_ROUTE_ATTRIBUTE_ONLINK);
    return value && g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN) && g_variant_get_boolean(value);
}

void collect(NMSettingIPConfig *ip, int family, std::set<std::string> &unreachable)
{
    if (!ip || str(nm_setting_ip_config_get_method(ip)) != NM_SETTING_IP4_CONFIG_METHOD_MANUAL) return; // IPv6's, too
    std::vector<Net> reached;
    std::vector<const char *> gateways = {nm_setting_ip_config_get_gateway(ip)};
    for (unsigned i = 0; i < nm_setting_ip_config_get_num_routes(ip); i++) {
        auto *route = nm_setting_ip_config_get_route(ip, static_cast<int>(i));
        if (const auto *hop = nm_ip_route_get_next_hop(route)) {
            if (!is_on_link(route)) gateways.push_back(hop);
        } else if (const auto net = parse(family, nm_ip_route_get_dest(route))) {
            reached.push_back({*net, nm_ip_route_get_prefix(route)});
        }
    }
    for (unsigned i = 0; i < nm_setting_ip_config_get_num_addresses(ip); i++) {
        auto *address = nm_setting_ip_config_get_address(ip, static_cast<int>(i));
        if (const auto net = parse(family, nm_ip_address_get_address(address)))
            reached.push_back({*net, nm_ip_address_get_prefix(address)});
    }
    if (family == AF_INET6) reached.push_back(link_local);
    for (const auto *gateway : gateways) {
        const auto address = parse(family, gateway);
        if (address && std::none_of(reached.begin(), reached.end(), [&](const Net &n) { return n.has(*address); }))
            unreachable.insert(gateway);
    }
}
} // namespace

Words unreachable_gateways(NMConnection *connection)
{
    std::set<std::string> unreachable;
    collect(nm_connection_get_setting_ip4_config(connection), AF_INET, unreachable);
    collect(nm_connection_get_setting_ip6_config(connection), AF_INET6, unreachable);
    return {unreachable.begin(), unreachable.end()};
}

} // namespace nmib::cli
