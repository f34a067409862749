// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/table.hpp"
#include "cli/port/report.hpp"
#include "core/base/printable.hpp"

namespace nmib::cli
{

namespace
{
/// The physical state beside the logical one where it says more.
std::string state_of(const Json &port, bool coloured, Reasons &reasons)
{
    const auto state = cell(port, "state", reasons), physical = text_of(port["physical_state"]);
    auto s = state + (physical.empty() || physical == "LinkUp" ? "" : "/" + physical);
    if (!coloured) return s;
    const auto *colour = state == "Active" ? "\033[32m" : state == "Down" ? "\033[31m" : "\033[33m";
    return colour + s + "\033[0m";
}

/// "40 Gb/s" of "40 Gb/s 4X QDR": the table fits 80 columns.
std::string speed_of(const Json &port, Reasons &reasons)
{
    const auto rate = cell(port, "rate", reasons);
    return rate.substr(0, rate.find(' ', rate.find(' ') + 1));
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

/// A row for each interface, and for a port without one.
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
} // namespace

std::string text_of(const Json &value)
{
    if (value.is_null()) return {};
    if (value.is_boolean()) return value.get<bool>() ? _("yes") : _("no");
    return value.is_string() ? printable(value.get<std::string>()) : value.dump();
}

std::string cell(const Json &object, const std::string &key, Reasons &reasons)
{
    const auto unread = object.find("unread");
    if (unread == object.end() || !unread->contains(key)) return text_of(object[key]);
    reasons.insert((*unread)[key].get<std::string>());
    return "?";
}

Result<std::string> list_of(const Options &options, const Json &all, Reasons &reasons)
{
    if (options.print == Options::Print::terse || options.fields || options.multiline.value_or(false))
        return table(options, flat(all, reasons));
    const auto ports = ports_of(all, is_coloured(options), reasons), interfaces = interfaces_of(all);
    auto text = *table({}, ports);
    if (!interfaces.rows.empty()) text += "\n" + *table({}, interfaces);
    return text;
}

} // namespace nmib::cli
