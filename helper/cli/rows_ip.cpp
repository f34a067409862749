// SPDX-License-Identifier: LGPL-2.1-or-later
/// ipv4, ipv6
#include "cli/kinds.hpp"
#include "cli/list.hpp"
#include "cli/rows.hpp"

#include <climits>

namespace nmib::cli
{

namespace
{
constexpr const char *const methods4[] = {"auto", "link-local", "manual", "shared", "disabled"};
constexpr const char *const methods6[] = {"ignore", "auto", "dhcp", "link-local", "manual", "shared", "disabled"};
constexpr const char *const dscp[] = {"CS0", "CS4", "CS6"};
constexpr Nick tables[] = {{0, "unspec"}, {254, "main"}};
constexpr Nick timeout[] = {{0, "default"}, {INT32_MAX, "infinity"}};
constexpr Nick required_timeout[] = {{-1, "default"}, {INT32_MAX, "infinity"}};
constexpr Nick lifetime[] = {{0, "default"}};
constexpr Nick dad_timeout[] = {{-1, "default"}, {0, "off"}};
constexpr Nick privacy[] = {{NM_SETTING_IP6_CONFIG_PRIVACY_PREFER_PUBLIC_ADDR, "enabled, prefer public IP"},
                            {NM_SETTING_IP6_CONFIG_PRIVACY_PREFER_TEMP_ADDR, "enabled, prefer temporary IP"},
                            {NM_SETTING_IP6_CONFIG_PRIVACY_UNKNOWN, "default"}};

constexpr ListOps dns = list_ops<nm_setting_ip_config_get_num_dns, nm_setting_ip_config_add_dns,
                                 nm_setting_ip_config_remove_dns, nm_setting_ip_config_remove_dns_by_value>();
constexpr ListOps dns_search =
    list_ops<nm_setting_ip_config_get_num_dns_searches, nm_setting_ip_config_add_dns_search,
             nm_setting_ip_config_remove_dns_search, nm_setting_ip_config_remove_dns_search_by_value>();
/// An option that is there already moves to the end.
constexpr ListOps dns_options = [] {
    auto ops = list_ops<nm_setting_ip_config_get_num_dns_options, nm_setting_ip_config_add_dns_option,
                        nm_setting_ip_config_remove_dns_option, nm_setting_ip_config_remove_dns_option_by_value>();
    ops.add = [](NMSetting *s, const char *item) {
        if (call<nm_setting_ip_config_add_dns_option>(s, item)) return;
        call<nm_setting_ip_config_remove_dns_option_by_value>(s, item);
        call<nm_setting_ip_config_add_dns_option>(s, item);
    };
    ops.clear = [](NMSetting *s, bool to_empty) { call<nm_setting_ip_config_clear_dns_options>(s, to_empty); };
    return ops;
}();

const char *const *reject_servers_of(NMSetting *s, unsigned *count)
{
    return nm_setting_ip_config_get_dhcp_reject_servers(NM_SETTING_IP_CONFIG(s), count);
}
Result<void> is_server(const std::string &item)
{
    const auto slash = item.find('/');
    const bool prefix = slash == std::string::npos || to_number<std::int64_t>(item.substr(slash + 1), 10, 0, 32);
    if (prefix && nm_utils_ipaddr_valid(AF_INET, item.substr(0, slash).c_str())) return {};
    return bad(form(nm("invalid IPv4 or subnet \"%s\""), item.c_str()));
}
constexpr ListOps reject_servers = {
    .count =
        [](NMSetting *s) {
            unsigned n = 0;
            (void)reject_servers_of(s, &n);
            return static_cast<std::size_t>(n);
        },
    .add = [](NMSetting *s, const char *item) { call<nm_setting_ip_config_add_dhcp_reject_server>(s, item); },
    .remove_index = [](NMSetting *s, std::size_t i) { call<nm_setting_ip_config_remove_dhcp_reject_server>(s, i); },
    .remove_value =
        [](NMSetting *s, const char *item) {
            unsigned n = 0;
            const auto *all = reject_servers_of(s, &n);
            for (unsigned i = 0; i < n; i++)
                if (std::string_view(all[i]) == item) {
                    call<nm_setting_ip_config_remove_dhcp_reject_server>(s, i);
                    return;
                }
        },
    .check = is_server};

// What both families have, in nmcli's order.
#define IP_ROWS_HEAD(methods, address_alias, address_prompt, gateway_alias, gateway_prompt)                            \
    {.name = "method", .kind = &kind::method, .choices = (methods)},                                                   \
        {.name = "dns", .kind = &kind::list, .list = &dns},                                                            \
        {.name = "dns-search", .kind = &kind::list, .list = &dns_search},                                              \
        {.name = "dns-options", .kind = &kind::list, .list = &dns_options},                                            \
        {.name = "dns-priority", .kind = &kind::number},                                                               \
        {.name = "addresses",                                                                                          \
         .kind = &kind::objects,                                                                                       \
         .alias = (address_alias),                                                                                     \
         .flags = multi,                                                                                               \
         .prompt = (address_prompt),                                                                                   \
         .objects = &kind::addresses},                                                                                 \
        {.name = "gateway", .kind = &kind::gateway, .alias = (gateway_alias), .prompt = (gateway_prompt)},             \
        {.name = "routes", .kind = &kind::objects, .objects = &kind::routes},                                          \
        {.name = "route-metric", .kind = &kind::number},                                                               \
        {.name = "route-table", .kind = &kind::number, .nicks = tables},                                               \
        {.name = "routing-rules", .kind = &kind::objects, .objects = &kind::rules},                                    \
        {.name = "replace-local-rule", .kind = &kind::ternary},                                                        \
        newer(48, {.name = "dhcp-send-release", .kind = &kind::ternary}),                                              \
        newer(52, {.name = "routed-dns", .kind = &kind::enumeration}),                                                 \
        {.name = "ignore-auto-routes", .kind = &kind::boolean},                                                        \
    {                                                                                                                  \
        .name = "ignore-auto-dns", .kind = &kind::boolean                                                              \
    }

// A new property took the name of the old one.
#define SEND_HOSTNAME                                                                                                  \
    {.name = "dhcp-send-hostname", .kind = &kind::boolean, .until = version(52)},                                      \
        newer(52,                                                                                                      \
              {.name = "dhcp-send-hostname", .kind = &kind::boolean, .user_name = "dhcp-send-hostname-deprecated"}),   \
        newer(52, {.name = "dhcp-send-hostname-v2",                                                                    \
                   .kind = &kind::enumeration,                                                                         \
                   .nicks = no_yes,                                                                                    \
                   .user_name = "dhcp-send-hostname"})

const Row rows4[] = {
    IP_ROWS_HEAD(methods4, "ip4", "IPv4 address (IP[/plen]) [none]", "gw4", "IPv4 gateway [none]"),
    {.name = "dhcp-client-id", .kind = &kind::text},
    {.name = "dhcp-iaid", .kind = &kind::text},
    newer(46, {.name = "dhcp-dscp", .kind = &kind::text, .choices = dscp}),
    {.name = "dhcp-timeout", .kind = &kind::number, .nicks = timeout},
    SEND_HOSTNAME,
    newer(54, {.name = "forwarding", .kind = &kind::enumeration}),
    {.name = "dhcp-hostname", .kind = &kind::text},
    {.name = "dhcp-fqdn", .kind = &kind::text},
    {.name = "dhcp-hostname-flags", .kind = &kind::enumeration, .enum_type = nm_dhcp_hostname_flags_get_type},
    {.name = "never-default", .kind = &kind::boolean},
    {.name = "may-fail", .kind = &kind::boolean},
    {.name = "required-timeout", .kind = &kind::number, .nicks = required_timeout},
    {.name = "dad-timeout", .kind = &kind::number, .nicks = dad_timeout},
    {.name = "dhcp-vendor-class-identifier", .kind = &kind::text},
    newer(52, {.name = "dhcp-ipv6-only-preferred", .kind = &kind::enumeration}),
    newer(58, {.name = "clat", .kind = &kind::enumeration}),
    {.name = "link-local", .kind = &kind::enumeration, .enum_type = nm_setting_ip4_link_local_get_type},
    {.name = "dhcp-reject-servers", .kind = &kind::list, .list = &reject_servers},
    {.name = "auto-route-ext-gw", .kind = &kind::ternary},
    newer(52, {.name = "shared-dhcp-range", .kind = &kind::text}),
    newer(52, {.name = "shared-dhcp-lease-time", .kind = &kind::number, .nicks = timeout}),
};

const Row rows6[] = {
    IP_ROWS_HEAD(methods6, "ip6", "IPv6 address (IP[/plen]) [none]", "gw6", "IPv6 gateway [none]"),
    {.name = "never-default", .kind = &kind::boolean},
    {.name = "may-fail", .kind = &kind::boolean},
    {.name = "required-timeout", .kind = &kind::number, .nicks = required_timeout},
    {.name = "ip6-privacy", .kind = &kind::enumeration, .shown = std::span(privacy).first<2>(), .until = version(48)},
    {.name = "ip6-privacy",
     .kind = &kind::enumeration,
     .nicks = std::span(privacy).last<1>(),
     .shown = privacy,
     .since = version(48)},
    newer(48, {.name = "temp-valid-lifetime", .kind = &kind::number, .nicks = lifetime}),
    newer(48, {.name = "temp-preferred-lifetime", .kind = &kind::number, .nicks = lifetime}),
    {.name = "addr-gen-mode",
     .kind = &kind::enumeration,
     .enum_type = nm_setting_ip6_config_addr_gen_mode_get_type,
     .enum_text = true},
    {.name = "ra-timeout", .kind = &kind::number, .nicks = timeout},
    {.name = "mtu", .kind = &kind::mtu},
    newer(44, {.name = "dhcp-pd-hint", .kind = &kind::text}),
    {.name = "dhcp-duid", .kind = &kind::text},
    {.name = "dhcp-iaid", .kind = &kind::text},
    {.name = "dhcp-timeout", .kind = &kind::number, .nicks = timeout},
    SEND_HOSTNAME,
    {.name = "dhcp-hostname", .kind = &kind::text},
    {.name = "dhcp-hostname-flags", .kind = &kind::enumeration, .enum_type = nm_dhcp_hostname_flags_get_type},
    {.name = "auto-route-ext-gw", .kind = &kind::ternary},
    {.name = "token", .kind = &kind::text},
};

void init(NMSetting *setting) { g_object_set(setting, "method", "auto", nullptr); }
} // namespace

const Group ipv4_group{"ipv4", "IPv4 protocol", nm_setting_ip4_config_get_type, rows4, init};
const Group ipv6_group{"ipv6", "IPv6 protocol", nm_setting_ip6_config_get_type, rows6, init};

} // namespace nmib::cli
