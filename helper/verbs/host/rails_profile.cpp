// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/host/rails_profile.hpp"

#include <algorithm>
#include <arpa/inet.h>

namespace nmib::cli
{

namespace
{
std::uint32_t table_of(NMIPRoute *route)
{
    auto *table = nm_ip_route_get_attribute(route, NM_IP_ROUTE_ATTRIBUTE_TABLE);
    return table && g_variant_is_of_type(table, G_VARIANT_TYPE_UINT32) ? g_variant_get_uint32(table) : 0;
}

template<class Look> void each_route(NMSettingIPConfig *ip, Look look)
{
    for (guint i = nm_setting_ip_config_get_num_routes(ip); i-- > 0;)
        look(nm_setting_ip_config_get_route(ip, static_cast<int>(i)), static_cast<int>(i));
}
template<class Look> void each_rule(NMSettingIPConfig *ip, Look look)
{
    for (guint i = nm_setting_ip_config_get_num_routing_rules(ip); i-- > 0;)
        look(nm_setting_ip_config_get_routing_rule(ip, i), i);
}

using Route = std::unique_ptr<NMIPRoute, Freer<nm_ip_route_unref>>;

Route rail_route(const RailAddress &address, std::uint32_t table)
{
    const auto network = address.network();
    auto *route =
        nm_ip_route_new(AF_INET, network.substr(0, network.find('/')).c_str(), address.prefix, nullptr, -1, nullptr);
    nm_ip_route_set_attribute(route, NM_IP_ROUTE_ATTRIBUTE_TABLE, g_variant_new_uint32(table));
    return Route(route);
}

// A rule with another priority is the administrator's.
bool is_rails(NMIPRoutingRule *rule)
{
    const auto table = nm_ip_routing_rule_get_table(rule);
    return table >= first_rail_table && table <= last_rail_table && nm_ip_routing_rule_get_priority(rule) == table;
}

/// Calls `look` for the routes of the rail. Any other route in its table is the administrator's.
template<class Look> void each_rail_route(NMConnection *profile, Look look)
{
    auto *ip = nm_connection_get_setting_ip4_config(profile);
    const auto table = rail_table(profile);
    std::vector<in_addr> from;
    each_rule(ip, [&](NMIPRoutingRule *rule, guint) {
        in_addr in{};
        const auto *text = is_rails(rule) ? nm_ip_routing_rule_get_from(rule) : nullptr;
        if (text && ::inet_pton(AF_INET, text, &in) == 1) from.push_back(in);
    });
    each_route(ip, [&](NMIPRoute *route, int i) {
        const auto prefix = nm_ip_route_get_prefix(route); // the address may have another now
        const auto is_equal = [&](const in_addr &in) {
            return nm_ip_route_equal_full(route, rail_route({ntohl(in.s_addr), prefix}, table).get(),
                                          NM_IP_ROUTE_EQUAL_CMP_FLAGS_WITH_ATTRS);
        };
        if (prefix > 0 && std::any_of(from.begin(), from.end(), is_equal)) look(route, i);
    });
}

/// Property and value, in nmcli's form.
std::set<std::pair<std::string, std::string>> texts(NMConnection *profile)
{
    std::set<std::pair<std::string, std::string>> all;
    auto *ip = nm_connection_get_setting_ip4_config(profile);
    if (!ip) return all;
    each_rail_route(profile, [&](NMIPRoute *route, int) {
        all.emplace("ipv4.routes", message(untranslated, "{}/{} table={}", nm_ip_route_get_dest(route),
                                           nm_ip_route_get_prefix(route), table_of(route)));
    });
    each_rule(ip, [&](NMIPRoutingRule *rule, guint) {
        if (!is_rails(rule)) return;
        const Text text(nm_ip_routing_rule_to_string(rule, NM_IP_ROUTING_RULE_AS_STRING_FLAGS_NONE, nullptr, nullptr));
        all.emplace("ipv4.routing-rules", str(text.get()));
    });
    return all;
}
} // namespace

Result<std::vector<RailAddress>> rail_addresses(NMConnection *profile)
{
    auto *ip = nm_connection_get_setting_ip4_config(profile);
    const auto method = str(ip ? nm_setting_ip_config_get_method(ip) : nullptr);
    if (method != NM_SETTING_IP4_CONFIG_METHOD_MANUAL)
        return bad(form("ipv4.method is '{}', and a rail needs addresses in the profile (manual)", method));
    std::vector<RailAddress> all;
    for (guint i = 0; i < nm_setting_ip_config_get_num_addresses(ip); i++) {
        auto *address = nm_setting_ip_config_get_address(ip, static_cast<int>(i));
        in_addr in{};
        nm_ip_address_get_address_binary(address, &in);
        all.push_back({ntohl(in.s_addr), nm_ip_address_get_prefix(address)});
    }
    return all;
}

std::uint32_t rail_table(NMConnection *profile)
{
    std::uint32_t table = 0;
    auto *ip = nm_connection_get_setting_ip4_config(profile);
    if (ip)
        each_rule(ip, [&](NMIPRoutingRule *rule, guint) {
            if (is_rails(rule)) table = nm_ip_routing_rule_get_table(rule);
        });
    return table;
}

void set_rail(NMConnection *profile, std::uint32_t table, std::span<const RailAddress> addresses)
{
    auto *ip = nm_connection_get_setting_ip4_config(profile);
    if (!ip) return;
    each_rail_route(profile, [&](NMIPRoute *, int i) { nm_setting_ip_config_remove_route(ip, i); });
    each_rule(ip, [&](NMIPRoutingRule *rule, guint i) {
        if (is_rails(rule)) nm_setting_ip_config_remove_routing_rule(ip, i);
    });
    for (const auto &a : addresses) {
        nm_setting_ip_config_add_route(ip, rail_route(a, table).get()); // ignores an equal one
        auto *rule = nm_ip_routing_rule_new(AF_INET);
        nm_ip_routing_rule_set_priority(rule, table);
        nm_ip_routing_rule_set_from(rule, a.str().c_str(), 32);
        nm_ip_routing_rule_set_table(rule, table);
        nm_setting_ip_config_add_routing_rule(ip, rule);
        nm_ip_routing_rule_unref(rule);
    }
}

Words rail_words(NMConnection *before, NMConnection *after)
{
    const auto from = texts(before), to = texts(after);
    Words words;
    const auto add = [&](const char *sign, const auto &some, const auto &others) {
        for (const auto &text : some)
            if (!others.contains(text)) words.insert(words.end(), {sign + text.first, text.second});
    };
    add("-", from, to);
    add("+", to, from);
    return words;
}

void add_routing_numbers(NMConnection *profile, std::set<std::uint32_t> &numbers)
{
    for (auto *ip : {nm_connection_get_setting_ip4_config(profile), nm_connection_get_setting_ip6_config(profile)}) {
        if (!ip) continue;
        numbers.insert(nm_setting_ip_config_get_route_table(ip));
        each_route(ip, [&](NMIPRoute *route, int) { numbers.insert(table_of(route)); });
        each_rule(ip, [&](NMIPRoutingRule *rule, guint) {
            numbers.insert({nm_ip_routing_rule_get_table(rule),
                            static_cast<std::uint32_t>(std::max<gint64>(nm_ip_routing_rule_get_priority(rule), 0))});
        });
    }
}

} // namespace nmib::cli
