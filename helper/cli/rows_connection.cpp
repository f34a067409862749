// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection, bond-port
#include "cli/kinds.hpp"
#include "cli/list.hpp"
#include "cli/newer.hpp"
#include "cli/rows.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr const char *const port_types[] = {"bond", "bridge", "ovs-bridge", "ovs-port", "team", "vrf"};
constexpr Nick retries[] = {{-1, "default"}, {0, "forever"}};
constexpr Nick lldp[] = {{NM_SETTING_CONNECTION_LLDP_ENABLE_RX, "enable"}};
constexpr Nick mptcp[] = {{NM_MPTCP_FLAGS_NONE, "default"}};

bool is_uuid(const std::string &word)
{
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS // its successor refuses what nmcli accepts
        return nm_utils_is_uuid(word.c_str());
    G_GNUC_END_IGNORE_DEPRECATIONS
}

/// Only VPNs can be secondaries, and names become UUIDs.
Result<void> set_secondaries(const Row &row, NMSetting *setting, Op op, const char *value, const Surroundings &around)
{
    const bool unseen = around.offline && has_version(44); // nmcli has learned since that there is nobody to ask
    if (!value || unseen) return kind::list.set(row, setting, op, value, around);
    auto words = cut(value, " \t,");
    for (auto &word : words) {
        const bool uuid = is_uuid(word);
        const auto k = find_name(around.others(), uuid ? &Name::uuid : &Name::id, word);
        if (k && k->type != "vpn") return bad(form(nm("'%s' is not a VPN connection profile"), word.c_str()));
        if (!k && !uuid) return bad(form(nm("'%s' is not a name of any existing profile"), word.c_str()));
        if (!k)
            around.say(form(nm("Warning: %s is not an UUID of any existing connection profile\n"), word.c_str()));
        else
            word = k->uuid;
    }
    return kind::list.set(row, setting, op, join(words, " ").c_str(), around);
}
std::string get_secondaries(const Row &row, NMSetting *setting, Style style)
{
    return kind::list.get(row, setting, style);
}
const Kind secondaries_kind{.set = set_secondaries, .get = get_secondaries, .removes = true};

Result<void> check_uuid(const std::string &item)
{
    if (is_uuid(item)) return {};
    return bad(form(nm("the value '%s' is not a valid UUID"), item.c_str()));
}
constexpr ListOps secondaries = [] {
    auto ops = list_ops<nm_setting_connection_get_num_secondaries, nm_setting_connection_add_secondary,
                        nm_setting_connection_remove_secondary, nm_setting_connection_remove_secondary_by_value>();
    ops.check = check_uuid;
    ops.escaped = true;
    return ops;
}();
constexpr ListOps ping_addresses = [] {
    auto ops =
        list_ops<nm_setting_connection_get_num_ip_ping_addresses, nm_setting_connection_add_ip_ping_address,
                 nm_setting_connection_remove_ip_ping_address, nm_setting_connection_remove_ip_ping_address_by_value>();
    ops.escaped = true;
    return ops;
}();

const Row rows[] = {
    {.name = "id", .kind = &kind::text, .alias = "con-name", .flags = dont_ask},
    {.name = "uuid", .kind = &kind::uuid},
    {.name = "stable-id", .kind = &kind::text},
    {.name = "type", .kind = &kind::type, .alias = "type", .prompt = "Connection type"},
    {.name = "interface-name", .kind = &kind::text, .alias = "ifname", .prompt = "Interface name"},
    {.name = "autoconnect", .kind = &kind::boolean, .alias = "autoconnect", .flags = dont_ask},
    {.name = "autoconnect-priority", .kind = &kind::number},
    {.name = "autoconnect-retries", .kind = &kind::number, .nicks = retries},
    {.name = "multi-connect", .kind = &kind::enumeration, .enum_type = nm_connection_multi_connect_get_type},
    {.name = "auth-retries", .kind = &kind::number},
    {.name = "timestamp", .kind = &kind::readonly},
    {.name = "read-only", .kind = &kind::readonly_boolean, .until = version(44)},
    {.name = "permissions", .kind = &kind::permissions},
    {.name = "zone", .kind = &kind::text},
    newer(
        46,
        {.name = "controller", .kind = &kind::text, .alias = "controller", .flags = dont_ask, .prompt = "Controller"}),
    {.name = "master", .kind = &kind::text, .alias = "master", .flags = dont_ask, .prompt = "Master"},
    {.name = "slave-type", .kind = &kind::text, .alias = "slave-type", .flags = dont_ask, .choices = port_types},
    newer(46,
          {.name = "port-type", .kind = &kind::text, .alias = "port-type", .flags = dont_ask, .choices = port_types}),
    {.name = "autoconnect-slaves", .kind = &kind::enumeration},
    newer(46, {.name = "autoconnect-ports", .kind = &kind::enumeration}),
    newer(48, {.name = "down-on-poweroff", .kind = &kind::enumeration}),
    {.name = "secondaries", .kind = &secondaries_kind, .flags = renewed, .list = &secondaries},
    {.name = "gateway-ping-timeout", .kind = &kind::number},
    newer(52, {.name = "ip-ping-timeout", .kind = &kind::number}),
    newer(52, {.name = "ip-ping-addresses", .kind = &kind::list, .list = &ping_addresses}),
    newer(52, {.name = "ip-ping-addresses-require-all", .kind = &kind::enumeration, .nicks = no_yes}),
    {.name = "metered", .kind = &kind::metered},
    {.name = "lldp",
     .kind = &kind::enumeration,
     .nicks = lldp,
     .enum_type = nm_setting_connection_lldp_get_type,
     .enum_text = true},
    {.name = "mdns", .kind = &kind::enumeration, .enum_type = nm_setting_connection_mdns_get_type},
    {.name = "llmnr", .kind = &kind::enumeration, .enum_type = nm_setting_connection_llmnr_get_type},
    {.name = "dns-over-tls", .kind = &kind::enumeration, .enum_type = nm_setting_connection_dns_over_tls_get_type},
    newer(56, {.name = "dnssec", .kind = &kind::enumeration}),
    {.name = "mptcp-flags",
     .kind = &kind::enumeration,
     .nicks = mptcp,
     .shown = mptcp,
     .enum_type = nm_mptcp_flags_get_type},
    {.name = "mud-url", .kind = &kind::text, .hide_default = true},
    {.name = "wait-device-timeout", .kind = &kind::number},
    {.name = "wait-activation-delay", .kind = &kind::number},
};

const Row bond_port_rows[] = {
    {.name = "queue-id", .kind = &kind::number, .alias = "queue-id", .prompt = "Queue ID"},
    newer(44, {.name = "prio", .kind = &kind::number, .alias = "prio", .prompt = "Port Priority"}),
};
} // namespace

const Group connection_group{"connection", "General settings", nm_setting_connection_get_type, rows};
const Group bond_port_group{"bond-port", "Bond port", nm_setting_bond_port_get_type, bond_port_rows};

} // namespace nmib::cli
