// SPDX-License-Identifier: LGPL-2.1-or-later
/// Routes ("10.0.0.0/8 10.0.0.1 5 table=3") and routing rules.
#include "cli/base/gobject.hpp"
#include "cli/kinds.hpp"
#include "cli/list.hpp"

namespace nmib::cli::kind
{

namespace
{
using Route = std::unique_ptr<NMIPRoute, Freer<nm_ip_route_unref>>;
using Rule = std::unique_ptr<NMIPRoutingRule, Freer<nm_ip_routing_rule_unref>>;
using Table = std::unique_ptr<GHashTable, Freer<g_hash_table_unref>>;

int family_of(NMSetting *setting) { return NM_IS_SETTING_IP4_CONFIG(setting) ? AF_INET : AF_INET6; }

const char *syntax()
{
    return nm("The valid syntax is: 'ip[/prefix] [next-hop] [metric] [attribute=val]... [,ip[/prefix] ...]'");
}

struct Words_of_route {
    std::string dest, next_hop;
    std::int64_t prefix;
    std::int64_t metric = -1;
    std::vector<std::pair<std::string, Variant>> attributes;
};

Result<void> read_attribute(Words_of_route &route, int family, const std::string &word)
{
    GErrorSlot error;
    const Table found(nm_utils_parse_variant_attributes(word.c_str(), ' ', '=', FALSE,
                                                        nm_ip_route_get_variant_attribute_spec(), error));
    if (!found) return bad("invalid option '" + word + "': " + error.message());
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, found.get());
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        g_hash_table_iter_steal(&iter);
        const Text name(static_cast<char *>(key));
        Variant v(g_variant_take_ref(static_cast<GVariant *>(value)));
        if (!nm_ip_route_attribute_validate(name.get(), v.get(), family, nullptr, error))
            return bad(str(name.get()) + ": " + error.message());
        route.attributes.emplace_back(name.get(), std::move(v));
    }
    return {};
}

Result<Words_of_route> parse(int family, const std::string &item)
{
    const auto words = split(item, " \t");
    const int max = family == AF_INET ? 32 : 128;
    Words_of_route route;
    const auto slash = words[0].find('/');
    route.dest = words[0].substr(0, slash);
    route.prefix = max;
    if (slash != std::string::npos) {
        const auto text = words[0].substr(slash + 1);
        const auto n = to_number<std::int64_t>(text, 10, 0, max);
        if (!n) return bad(form(nm("invalid prefix '%s'; <0-%d> allowed"), text.c_str(), max));
        route.prefix = *n;
    }
    for (std::size_t i = 1; i < words.size(); i++) {
        const auto &word = words[i];
        if (nm_utils_ipaddr_valid(family, word.c_str())) {
            if (route.metric != -1 || !route.attributes.empty())
                return bad(form(nm("the next hop ('%s') must be first"), word.c_str()));
            route.next_hop = word;
        } else if (const auto n = to_number<std::int64_t>(word, 10, 0, G_MAXUINT32)) {
            if (!route.attributes.empty())
                return bad(form(nm("the metric ('%s') must be before attributes"), word.c_str()));
            route.metric = *n;
        } else if (word.find('=') != std::string::npos) {
            if (auto r = read_attribute(route, family, word); !r) return r.error();
        } else {
            return bad(syntax());
        }
    }
    return route;
}

Result<void> put_route(NMSetting *setting, bool add, const std::string &item)
{
    const auto words = parse(family_of(setting), item);
    if (!words) return words.error();
    GErrorSlot error;
    const Route route(nm_ip_route_new(family_of(setting), words->dest.c_str(), static_cast<unsigned>(words->prefix),
                                      words->next_hop.empty() ? nullptr : words->next_hop.c_str(), words->metric,
                                      error));
    if (!route) return bad(form(nm("invalid route: %s. %s"), error.message().c_str(), syntax()));
    for (const auto &[name, value] : words->attributes)
        nm_ip_route_set_attribute(route.get(), name.c_str(), value.get());
    auto *ip = NM_SETTING_IP_CONFIG(setting);
    add ? nm_setting_ip_config_add_route(ip, route.get()) : nm_setting_ip_config_remove_route_by_value(ip, route.get());
    return {};
}

std::string attributes_text(NMIPRoute *route)
{
    const Table table(g_hash_table_new(g_str_hash, g_str_equal));
    const Strv names(nm_ip_route_get_attribute_names(route));
    for (char **n = names.get(); n && *n; n++)
        g_hash_table_insert(table.get(), *n, nm_ip_route_get_attribute(route, *n));
    const Text text(nm_utils_format_variant_attributes(table.get(), ' ', '='));
    return text ? std::string(" ") + text.get() : "";
}

std::string route_text(NMSetting *setting, std::size_t i, Style style)
{
    auto *route = nm_setting_ip_config_get_route(NM_SETTING_IP_CONFIG(setting), static_cast<int>(i));
    const bool pretty = style == Style::pretty;
    auto s = form(pretty ? "{ ip = %s/%u" : "%s/%u", nm_ip_route_get_dest(route), nm_ip_route_get_prefix(route));
    if (const auto *hop = nm_ip_route_get_next_hop(route)) s += form(pretty ? ", nh = %s" : " %s", hop);
    if (const auto metric = nm_ip_route_get_metric(route); metric != -1)
        s += form(pretty ? ", mt = %u" : " %u", static_cast<unsigned>(metric));
    s += attributes_text(route);
    return pretty ? s + " }" : s;
}

std::string rule_text(NMSetting *setting, std::size_t i, Style)
{
    auto *rule = nm_setting_ip_config_get_routing_rule(NM_SETTING_IP_CONFIG(setting), static_cast<unsigned>(i));
    return str(
        Text(nm_ip_routing_rule_to_string(rule, NM_IP_ROUTING_RULE_AS_STRING_FLAGS_NONE, nullptr, nullptr)).get());
}

/// A rule that is there already moves to the end.
Result<void> put_rule(NMSetting *setting, bool add, const std::string &item)
{
    const auto family = NM_IS_SETTING_IP4_CONFIG(setting) ? NM_IP_ROUTING_RULE_AS_STRING_FLAGS_AF_INET
                                                          : NM_IP_ROUTING_RULE_AS_STRING_FLAGS_AF_INET6;
    GErrorSlot error;
    const Rule rule(nm_ip_routing_rule_from_string(
        item.c_str(), static_cast<NMIPRoutingRuleAsStringFlags>(NM_IP_ROUTING_RULE_AS_STRING_FLAGS_VALIDATE | family),
        nullptr, error));
    if (!rule) return bad(error.message());
    auto *ip = NM_SETTING_IP_CONFIG(setting);
    for (unsigned i = 0; i < nm_setting_ip_config_get_num_routing_rules(ip); i++)
        if (nm_ip_routing_rule_cmp(rule.get(), nm_setting_ip_config_get_routing_rule(ip, i)) == 0) {
            nm_setting_ip_config_remove_routing_rule(ip, i);
            break;
        }
    if (add) nm_setting_ip_config_add_routing_rule(ip, rule.get());
    return {};
}
} // namespace

const ObjectOps routes{
    .count = [](NMSetting *s) -> std::size_t { return call<nm_setting_ip_config_get_num_routes>(s); },
    .clear = [](NMSetting *s) { call<nm_setting_ip_config_clear_routes>(s); },
    .text = route_text,
    .put = put_route,
    .remove_index = [](NMSetting *s, std::size_t i) { call<nm_setting_ip_config_remove_route>(s, i); },
    .between_pretty = "; "};
const ObjectOps rules{
    .count = [](NMSetting *s) -> std::size_t { return call<nm_setting_ip_config_get_num_routing_rules>(s); },
    .clear = [](NMSetting *s) { call<nm_setting_ip_config_clear_routing_rules>(s); },
    .text = rule_text,
    .put = put_rule,
    .remove_index = [](NMSetting *s, std::size_t i) { call<nm_setting_ip_config_remove_routing_rule>(s, i); },
    .escaped = true};

} // namespace nmib::cli::kind
