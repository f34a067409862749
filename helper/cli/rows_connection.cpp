// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection, bond-port
#include "cli/kinds.hpp"
#include "cli/list.hpp"
#include "cli/rows.hpp"

namespace nmib::cli
{

namespace
{
constexpr const char *const slave_types[] = {"bond", "bridge", "ovs-bridge", "ovs-port", "team", "vrf"};
constexpr Nick retries[] = {{-1, "default"}, {0, "forever"}};
constexpr Nick lldp[] = {{NM_SETTING_CONNECTION_LLDP_ENABLE_RX, "enable"}};
constexpr Nick mptcp[] = {{NM_MPTCP_FLAGS_NONE, "default"}};

Result<void> is_uuid(const std::string &item)
{
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS // its successor refuses what nmcli accepts
        const bool valid = nm_utils_is_uuid(item.c_str());
    G_GNUC_END_IGNORE_DEPRECATIONS
    if (valid) return {};
    return bad(form(nm("the value '%s' is not a valid UUID"), item.c_str()));
}
constexpr ListOps secondaries = [] {
    auto ops = list_ops<nm_setting_connection_get_num_secondaries, nm_setting_connection_add_secondary,
                        nm_setting_connection_remove_secondary, nm_setting_connection_remove_secondary_by_value>();
    ops.check = is_uuid;
    return ops;
}();

const Row rows[] = {
    {.name = "id", .kind = &kind::text, .alias = "con-name", .flags = dont_ask},
    {.name = "uuid", .kind = &kind::uuid},
    {.name = "stable-id", .kind = &kind::text},
    {.name = "type", .kind = &kind::type, .alias = "type", .flags = required, .prompt = "Connection type"},
    {.name = "interface-name", .kind = &kind::interface, .alias = "ifname", .prompt = "Interface name"},
    {.name = "autoconnect", .kind = &kind::boolean, .alias = "autoconnect", .flags = dont_ask},
    {.name = "autoconnect-priority", .kind = &kind::number},
    {.name = "autoconnect-retries", .kind = &kind::number, .nicks = retries},
    {.name = "multi-connect", .kind = &kind::enumeration, .enum_type = nm_connection_multi_connect_get_type},
    {.name = "auth-retries", .kind = &kind::number},
    {.name = "timestamp", .kind = &kind::readonly},
    {.name = "read-only", .kind = &kind::readonly_boolean},
    {.name = "permissions", .kind = &kind::permissions},
    {.name = "zone", .kind = &kind::text},
    {.name = "master", .kind = &kind::text, .alias = "master", .flags = dont_ask, .prompt = "Master"},
    {.name = "slave-type", .kind = &kind::text, .alias = "slave-type", .flags = dont_ask, .choices = slave_types},
    {.name = "autoconnect-slaves", .kind = &kind::enumeration},
    {.name = "secondaries", .kind = &kind::list, .list = &secondaries},
    {.name = "gateway-ping-timeout", .kind = &kind::number},
    {.name = "metered", .kind = &kind::metered},
    {.name = "lldp",
     .kind = &kind::enumeration,
     .nicks = lldp,
     .enum_type = nm_setting_connection_lldp_get_type,
     .enum_text = true},
    {.name = "mdns", .kind = &kind::enumeration, .enum_type = nm_setting_connection_mdns_get_type},
    {.name = "llmnr", .kind = &kind::enumeration, .enum_type = nm_setting_connection_llmnr_get_type},
    {.name = "dns-over-tls", .kind = &kind::enumeration, .enum_type = nm_setting_connection_dns_over_tls_get_type},
    {.name = "mptcp-flags",
     .kind = &kind::enumeration,
     .nicks = mptcp,
     .enum_type = nm_mptcp_flags_get_type,
     .nicks_shown = true},
    {.name = "mud-url", .kind = &kind::text, .hide_default = true},
    {.name = "wait-device-timeout", .kind = &kind::number},
    {.name = "wait-activation-delay", .kind = &kind::number},
};

const Row bond_port_rows[] = {
    {.name = "queue-id", .kind = &kind::number, .alias = "queue-id", .prompt = "Queue ID"},
};
} // namespace

const Group connection_group{"connection", "General settings", nm_setting_connection_get_type, rows};
const Group bond_port_group{"bond-port", "Bond port", nm_setting_bond_port_get_type, bond_port_rows};

} // namespace nmib::cli
