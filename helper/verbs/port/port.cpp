// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/port/port.hpp"

#include "core/base/text.hpp"
#include "terminal/glib.hpp"
#include "terminal/json.hpp"
#include "terminal/table.hpp"
#include "verbs/port/json.hpp"
#include "verbs/port/metrics.hpp"

#include <algorithm>
#include <set>

namespace nmib::cli
{

namespace
{
/// Reasons for missing values.
using Reasons = std::set<std::string>;

/// Returns a value for people; empty for null.
std::string text_of(const Json &value)
{
    if (value.is_null()) return {};
    if (value.is_boolean()) return value.get<bool>() ? _("yes") : _("no");
    return value.is_string() ? printable(value.get<std::string>()) : value.dump();
}

/// Returns a value of a port or HCA; "?" if it could not be read: adds the reason to `reasons`.
std::string cell(const Json &object, const std::string &key, Reasons &reasons)
{
    const auto unread = object.find("unread");
    if (unread == object.end() || !unread->contains(key)) return text_of(object[key]);
    reasons.insert((*unread)[key].get<std::string>());
    return "?";
}

std::string state_of(const Json &port, bool coloured, Reasons &reasons)
{
    const auto state = cell(port, "state", reasons), physical = text_of(port["physical_state"]);
    auto s = state + (physical.empty() || physical == "LinkUp" ? "" : "/" + physical);
    if (!coloured) return s;
    const auto *colour = state == "Active" ? "\033[32m" : state == "Down" ? "\033[31m" : "\033[33m";
    return colour + s + "\033[0m";
}

/// Returns "40 Gb/s" for "40 Gb/s 4X QDR", so that the table fits in 80 columns.
std::string speed_of(const Json &port, Reasons &reasons)
{
    const auto text = cell(port, "rate", reasons);
    return text.substr(0, text.find(' ', text.find(' ') + 1));
}

Rows ports_of(const Json &all, bool coloured, Reasons &reasons)
{
    Rows rows{{_("PORT"), "LINK_LAYER", _("STATE"), _("RATE"), "LID", "SM_LID", "GUID"}, {}};
    for (const auto &port : all["ports"])
        rows.rows.push_back({text_of(port["port"]), cell(port, "link_layer", reasons),
                             state_of(port, coloured, reasons), speed_of(port, reasons), cell(port, "lid", reasons),
                             cell(port, "sm_lid", reasons), cell(port, "guid", reasons)});
    return rows;
}

Rows interfaces_of(const Json &all)
{
    Rows rows{{_("INTERFACE"), _("PORT"), "P_KEY", _("MODE"), "MTU", "NM_STATE", _("PROFILE")}, {}};
    for (const auto &port : all["ports"])
        for (const auto &n : port["interfaces"])
            rows.rows.push_back({(n["parent"].is_null() ? "" : "  ") + text_of(n["interface"]), text_of(port["port"]),
                                 text_of(n["p_key"]), text_of(n["mode"]), text_of(n["mtu"]), text_of(n["nm_state"]),
                                 text_of(n["profile"])});
    return rows;
}

/// A row for each interface, and for each port without interfaces.
Rows flat(const Json &all, Reasons &reasons)
{
    constexpr const char *of_port[] = {"port", "link_layer", "state",      "physical_state", "rate",
                                       "lid",  "sm_lid",     "mtu_active", "mtu_max",        "guid"},
                         *of_interface[] = {"interface", "parent",  "p_key",    "mode",
                                            "mtu",       "carrier", "nm_state", "profile"};
    Rows rows;
    for (const std::span<const char *const> keys : {std::span<const char *const>(of_port), {of_interface}})
        for (const auto *key : keys) rows.titles.emplace_back(Text(g_ascii_strup(key, -1)).get());
    for (const auto &port : all["ports"]) {
        const auto &there = port["interfaces"];
        for (const auto &n : there.empty() ? Json::array({Json::object()}) : there) {
            Words row;
            for (const auto *key : of_port) row.push_back(cell(port, key, reasons));
            for (const auto *key : of_interface) row.push_back(n.contains(key) ? text_of(n[key]) : "");
            rows.rows.push_back(std::move(row));
        }
    }
    return rows;
}

/// Returns two tables, ports and interfaces; with -t, -f or -m one table, with a row for each interface.
Result<std::string> list_of(const Options &options, const Json &all, Reasons &reasons)
{
    if (options.print == Options::Print::terse || options.fields || options.multiline.value_or(false))
        return table(options, flat(all, reasons));
    const auto ports = ports_of(all, is_coloured(options), reasons), interfaces = interfaces_of(all);
    auto text = *table({}, ports);
    if (!interfaces.rows.empty()) text += "\n" + *table({}, interfaces);
    return text;
}

constexpr std::size_t value_column = 40; // as in nmcli

struct Line {
    std::string name, value;
};

std::string upper(const std::string &text) { return Text(g_ascii_strup(text.c_str(), -1)).get(); }

/// Adds a line for each value; "PORT.PORT" becomes "PORT.NAME".
void add_values(std::vector<Line> &lines, const std::string &group, const Json &object, Reasons &reasons)
{
    for (const auto &[key, value] : object.items())
        if (!value.is_structured()) {
            const auto name = upper(key);
            lines.push_back({group + "." + (group.starts_with(name) ? "NAME" : name), cell(object, key, reasons)});
        }
}

/// "0x8002 full ib0.8002"
std::string in_a_line(const Json &entry)
{
    Words values;
    for (const auto &[key, value] : entry.items()) {
        if (key == "index" || key == "number" || value.is_null()) continue;
        for (const auto &v : value.is_array() ? value : Json::array({value})) values.push_back(text_of(v));
    }
    return join(values, " ");
}

std::vector<Line> lines_of(const Json &hca, const Json &port, Reasons &reasons)
{
    std::vector<Line> lines;
    add_values(lines, "HCA", hca, reasons);
    for (const auto &f : hca["virtual_functions"])
        lines.push_back({message(untranslated, "HCA.VF[{}]", text_of(f["number"])), in_a_line(f)});
    add_values(lines, "PORT", port, reasons);
    for (std::size_t i = 0; i < port["interfaces"].size(); i++)
        add_values(lines, message(untranslated, "INTERFACE[{}]", i + 1), port["interfaces"][i], reasons);
    for (const auto &[key, group] : {std::pair("p_keys", "P_KEY"), {"gids", "GID"}})
        for (const auto &entry : port[key])
            lines.push_back({message(untranslated, "{}[{}]", group, text_of(entry["index"])), in_a_line(entry)});
    return lines;
}

/// "INTERFACE[1].MTU" is also chosen by "INTERFACE.MTU", "INTERFACE[1]" and "INTERFACE".
bool is_chosen(const std::string &name, const std::string &field)
{
    const auto same = [&](const std::string &text) { return g_ascii_strcasecmp(text.c_str(), field.c_str()) == 0; };
    const auto open = name.find('['), close = name.find(']');
    const auto plain = open == name.npos ? name : name.substr(0, open) + name.substr(close + 1);
    return same(name) || same(plain) || same(name.substr(0, name.find('.'))) || same(plain.substr(0, plain.find('.')));
}

Result<std::vector<Line>> chosen(std::vector<Line> lines, const std::string &fields)
{
    if (fields == "all" || fields == "common") return lines;
    std::vector<Line> some;
    for (const auto &field : cut(fields, ",")) {
        const auto before = some.size();
        for (const auto &line : lines)
            if (is_chosen(line.name, field)) some.push_back(line);
        const bool may_be_none = is_chosen("INTERFACE", field.substr(0, 9)) || is_chosen("P_KEY", field) ||
                                 is_chosen("GID", field) || is_chosen("HCA.VF", field);
        if (some.size() == before && !may_be_none)
            return bad(nm_form(nm("invalid field '%s'; allowed fields: %s"), printable(field).c_str(),
                               "HCA,PORT,INTERFACE,P_KEY,GID"));
    }
    return some;
}

/// Returns all values of each port, one a line.
Result<std::string> details_of(const Options &options, const Json &all, Reasons &reasons)
{
    std::string text;
    for (const auto &port : all["ports"]) {
        const auto hca = std::find_if(all["hcas"].begin(), all["hcas"].end(),
                                      [&](const Json &h) { return h["name"] == port["hca"]; });
        const auto lines = chosen(lines_of(*hca, port, reasons), options.fields.value_or("all"));
        if (!lines) return lines.error();
        if (!text.empty()) text += "\n";
        const bool terse = options.print == Options::Print::terse;
        for (const auto &[name, value] : *lines) {
            if (terse && !options.multiline.value_or(true)) // -g: values only
                text += value + "\n";
            else
                text += padded(name + ":", terse ? 0 : value_column) + (value.empty() && !terse ? "--" : value) + "\n";
        }
    }
    return text;
}

Status print_ports(const Request &request, bool details)
{
    const bool for_metrics = request.has("--metrics");
    if (for_metrics && request.has("--json")) return Failure{exit_usage, _("Error: --metrics: not with --json.")};
    if (auto done = for_metrics ? refuse_columns(request) : Status(); !done) return done;
    const auto depth = for_metrics ? Depth::counters : details || request.has("--json") ? Depth::fabric : Depth::list;
    const auto all = take_inventory(depth, request.words.empty() ? "" : request.words.front());
    if (!all) return failure_of(all.error());
    if (for_metrics) {
        Metrics metrics;
        add(metrics, *all);
        metrics.print();
        return {};
    }
    const auto json = json_of(*all);
    if (request.has("--json")) {
        print_json(json);
        return {};
    }
    Reasons reasons;
    const auto text = details ? details_of(request.print, json, reasons) : list_of(request.print, json, reasons);
    if (!text) return refused(text.error().what);
    const bool terse = request.print.print == Options::Print::terse;
    print(all->devices.empty() && !terse ? std::string(_("No RDMA device found.")) + "\n" : *text);
    for (const auto &reason : terse ? Reasons() : reasons)
        complain(form("note: '?' cannot be read: {}", printable(reason)));
    return {};
}
} // namespace

Status list_ports(const Request &request) { return print_ports(request, /*details=*/false); }
Status show_port(const Request &request) { return print_ports(request, /*details=*/true); }

} // namespace nmib::cli
