// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the sections of an active connection say.
#include "cli/daemon/active.hpp"

#include "cli/base/version.hpp"

#include <algorithm>
#include <iterator>

namespace nmib::cli
{

namespace
{
constexpr const char *device_interface = "org.freedesktop.NetworkManager.Device";

using Values = std::vector<ActiveValue>;

/// The interface names of all devices, as "Interface" or "IpInterface".
std::string interfaces(const ActiveSource &source, const char *property)
{
    Words names;
    for (const auto &path : source.active.properties.list("Devices")) {
        const auto name = source.daemon.property(path.c_str(), device_interface, property);
        if (!name || !g_variant_is_of_type(name->get(), G_VARIANT_TYPE_STRING)) continue;
        if (const auto *text = g_variant_get_string(name->get(), nullptr); *text) names.emplace_back(text);
    }
    return join(names, ",");
}

const char *state_word(std::uint32_t state)
{
    switch (state) {
    case NM_ACTIVE_CONNECTION_STATE_ACTIVATING: return "activating";
    case NM_ACTIVE_CONNECTION_STATE_ACTIVATED: return "activated";
    case NM_ACTIVE_CONNECTION_STATE_DEACTIVATING: return "deactivating";
    case NM_ACTIVE_CONNECTION_STATE_DEACTIVATED: return "deactivated";
    default: return "unknown";
    }
}

std::string master_path(const Properties &active)
{
    const auto controller = active.object("Controller"); // the name from 1.44 on
    return controller.empty() ? active.object("Master") : controller;
}

constexpr const char *general_fields[] = {"NAME",     "UUID",     "DEVICES",         "IP-IFACE",   "STATE",
                                          "DEFAULT",  "DEFAULT6", "SPEC-OBJECT",     "VPN",        "DBUS-PATH",
                                          "CON-PATH", "ZONE",     "CONTROLLER-PATH", "MASTER-PATH"};
std::optional<Values> read_general(const ActiveSource &source)
{
    const auto &active = source.active.properties;
    const auto word = [&](const char *text) { return std::string(source.parsable ? text : nm(text)); };
    const auto yes_no = [&](bool value) { return word(value ? "yes" : "no"); };
    auto *base = nm_connection_get_setting_connection(source.profile);
    return Values{active.text("Id"),
                  active.text("Uuid"),
                  interfaces(source, "Interface"),
                  interfaces(source, "IpInterface"),
                  word(state_word(active.number("State"))),
                  yes_no(active.flag("Default")),
                  yes_no(active.flag("Default6")),
                  active.object("SpecificObject"),
                  yes_no(active.flag("Vpn")),
                  source.active.path,
                  active.object("Connection"),
                  str(base ? nm_setting_connection_get_zone(base) : nullptr),
                  master_path(active),
                  master_path(active)};
}

using Pointers = std::unique_ptr<GPtrArray, Freer<g_ptr_array_unref>>;
using Table = std::unique_ptr<GHashTable, Freer<g_hash_table_unref>>;

Words addresses(const Properties &config, int family)
{
    Words lines;
    const auto data = config.get("AddressData", "aa{sv}");
    const Pointers all(data ? nm_utils_ip_addresses_from_variant(data.get(), family) : nullptr);
    for (unsigned i = 0; all && i < all->len; i++) {
        auto *a = static_cast<NMIPAddress *>(g_ptr_array_index(all.get(), i));
        lines.push_back(form("%s/%u", nm_ip_address_get_address(a), nm_ip_address_get_prefix(a)));
    }
    return lines;
}

std::string attributes(NMIPRoute *route)
{
    const Strv names(nm_ip_route_get_attribute_names(route));
    if (!names || !*names) return {};
    const Table all(g_hash_table_new(g_str_hash, g_str_equal));
    for (auto *name = names.get(); *name; name++)
        g_hash_table_insert(all.get(), *name, nm_ip_route_get_attribute(route, *name));
    const Text text(nm_utils_format_variant_attributes(all.get(), ',', '='));
    return text ? std::string(", ") + text.get() : "";
}

Words routes(const Properties &config, int family)
{
    Words lines;
    const auto data = config.get("RouteData", "aa{sv}");
    const Pointers all(data ? nm_utils_ip_routes_from_variant(data.get(), family) : nullptr);
    for (unsigned i = 0; all && i < all->len; i++) {
        auto *r = static_cast<NMIPRoute *>(g_ptr_array_index(all.get(), i));
        const auto *hop = nm_ip_route_get_next_hop(r);
        auto line = form("dst = %s/%u, nh = %s", nm_ip_route_get_dest(r), nm_ip_route_get_prefix(r),
                         hop                 ? hop
                         : family == AF_INET ? "0.0.0.0"
                                             : "::");
        if (const auto metric = nm_ip_route_get_metric(r); metric >= 0)
            line += ", mt = " + std::to_string(static_cast<std::uint32_t>(metric));
        lines.push_back(line + attributes(r));
    }
    return lines;
}

/// IPv4: dictionaries with an "address", or with a "uri" that says more to NetworkManager from 1.52 on; IPv6: its
/// bytes.
Words name_servers(const Properties &config, int family)
{
    Words servers;
    if (family == AF_INET6) {
        const auto bytes = config.get("Nameservers", "aay");
        const Strv all(bytes ? nm_utils_ip6_dns_from_variant(bytes.get()) : nullptr);
        for (auto *s = all.get(); s && *s; s++) servers.emplace_back(*s);
        return servers;
    }
    const auto data = config.get("NameserverData", "aa{sv}");
    for (std::size_t i = 0; data && i < g_variant_n_children(data.get()); i++) {
        const Variant server(g_variant_get_child_value(data.get(), i));
        const char *text = nullptr;
        if ((has_version(52) && g_variant_lookup(server.get(), "uri", "&s", &text)) ||
            (g_variant_lookup(server.get(), "address", "&s", &text) && nm_utils_ipaddr_valid(AF_INET, text)))
            servers.emplace_back(text);
    }
    return servers;
}

std::optional<Properties> config_of(const ActiveSource &source, const char *property, const char *interface)
{
    const auto path = source.active.properties.object(property);
    if (path.empty()) return std::nullopt;
    auto config = Properties::of(source.daemon, path, interface);
    if (!config) return std::nullopt;
    return std::move(*config);
}

constexpr const char *ip4_fields[] = {"ADDRESS", "GATEWAY",  "ROUTE", "DNS",
                                      "DOMAIN",  "SEARCHES", "WINS",  "CLAT-ADDRESS"};
constexpr const char *ip6_fields[] = {"ADDRESS", "GATEWAY",  "ROUTE",        "DNS",
                                      "DOMAIN",  "SEARCHES", "CLAT-ADDRESS", "CLAT-PREF64"};
std::optional<Values> read_ip(const ActiveSource &source, int family)
{
    const auto config = family == AF_INET ? config_of(source, "Ip4Config", "org.freedesktop.NetworkManager.IP4Config")
                                          : config_of(source, "Ip6Config", "org.freedesktop.NetworkManager.IP6Config");
    if (!config) return std::nullopt;
    Values values{addresses(*config, family),    config->text("Gateway"), routes(*config, family),
                  name_servers(*config, family), config->list("Domains"), config->list("Searches")};
    if (family == AF_INET) values.emplace_back(config->list("WinsServerData"));
    const auto add = [&](const char *name) {
        const auto text = config->text(name);
        values.push_back(text.empty() ? ActiveValue() : ActiveValue(text));
    };
    add("ClatAddress");
    if (family == AF_INET6) add("ClatPref64");
    return values;
}
std::optional<Values> read_ip4(const ActiveSource &source) { return read_ip(source, AF_INET); }
std::optional<Values> read_ip6(const ActiveSource &source) { return read_ip(source, AF_INET6); }

constexpr const char *dhcp_fields[] = {"OPTION"};
std::optional<Values> read_dhcp(const ActiveSource &source, const char *property, const char *interface)
{
    const auto config = config_of(source, property, interface);
    if (!config) return std::nullopt;
    std::vector<std::pair<std::string, std::string>> options;
    const auto all = config->get("Options", "a{sv}");
    for (std::size_t i = 0; all && i < g_variant_n_children(all.get()); i++) {
        const Variant entry(g_variant_get_child_value(all.get(), i));
        const char *key = nullptr;
        GVariant *inner = nullptr;
        g_variant_get(entry.get(), "{&sv}", &key, &inner);
        const Variant value(inner);
        if (g_variant_is_of_type(inner, G_VARIANT_TYPE_STRING))
            options.emplace_back(key, g_variant_get_string(inner, nullptr));
    }
    std::sort(options.begin(), options.end());
    Words lines;
    lines.reserve(options.size());
    for (const auto &[key, value] : options) lines.push_back(key + " = " + value);
    return Values{lines};
}
std::optional<Values> read_dhcp4(const ActiveSource &source)
{
    return read_dhcp(source, "Dhcp4Config", "org.freedesktop.NetworkManager.DHCP4Config");
}
std::optional<Values> read_dhcp6(const ActiveSource &source)
{
    return read_dhcp(source, "Dhcp6Config", "org.freedesktop.NetworkManager.DHCP6Config");
}

/// No VPN is of InfiniBand; its section only counts where sections are kept apart.
std::optional<Values> read_vpn(const ActiveSource &) { return std::nullopt; }

constexpr ActiveGroup groups[] = {{"GENERAL", general_fields, read_general}, {"IP4", ip4_fields, read_ip4},
                                  {"DHCP4", dhcp_fields, read_dhcp4},        {"IP6", ip6_fields, read_ip6},
                                  {"DHCP6", dhcp_fields, read_dhcp6},        {"VPN", {}, read_vpn}};
} // namespace

bool is_field(std::string_view name)
{
    return has_version(58) || (name != "CONTROLLER-PATH" && name != "CLAT-ADDRESS" && name != "CLAT-PREF64");
}

std::vector<const char *> ActiveGroup::fields() const
{
    std::vector<const char *> there;
    std::copy_if(all_fields.begin(), all_fields.end(), std::back_inserter(there), is_field);
    return there;
}

std::span<const ActiveGroup> active_groups() { return groups; }

} // namespace nmib::cli
