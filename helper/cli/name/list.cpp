// SPDX-License-Identifier: LGPL-2.1-or-later
/// name list: every port, the name it was given, and whether that holds.
#include "cli/base/table.hpp"
#include "cli/name/report.hpp"
#include "cli/name/world.hpp"
#include "core/base/printable.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
Json json_of_world(const NamingWorld &world, const std::vector<NameState> &states)
{
    auto all = json_object();
    all["changed"] = false;
    all["ports"] = Json::array();
    for (const auto &port : world.ports) {
        auto j = json_of(port);
        if (const auto *state = find_state(states, port)) j.update(json_of(*state));
        all["ports"].push_back(std::move(j));
    }
    all["without_port"] = Json::array();
    for (const auto &s : states)
        if (!s.port) all["without_port"].push_back(json_of(s));
    return all;
}

Rows rows_of(const NamingWorld &world, const std::vector<NameState> &states)
{
    Rows all{.titles = {"PORT", "GUID", "INTERFACE", "NAME", "STATE", "FILE"}};
    const auto add = [&](const PortIdentity *p, const NameState *s) {
        all.rows.push_back({p ? printable(p->label()) : "", p ? p->guid.str() : "",
                            p && p->interface ? printable(p->interface->name.view()) : "", s ? s->name.str() : "",
                            s ? std::string(id(s->code)) : "", s ? printable(s->own->path) : ""});
    };
    for (const auto &port : world.ports) add(&port, find_state(states, port));
    for (const auto &s : states)
        if (!s.port) add(nullptr, &s);
    return all;
}
} // namespace

std::optional<Failure> list_names(const NameRequest &request)
{
    const auto world = read_naming_world();
    if (!world) return Failure{exit_failed, form(_("Error: %s"), world.error().what.c_str())};
    const auto states = name_states(*world);
    if (request.json) {
        print_json(json_of_world(*world, states));
        return {};
    }
    const auto text = table(request.print, rows_of(*world, states));
    if (!text) return Failure{exit_usage, form(_("Error: %s"), text.error().what.c_str())};
    const bool empty = world->ports.empty() && states.empty();
    print(empty && request.print.print != Options::Print::terse ? std::string(_("No InfiniBand port is there.")) + "\n"
                                                                : *text);
    return {};
}

// name check: whether every name holds.

std::optional<Failure> check_names(const NameRequest &request)
{
    const auto world = read_naming_world();
    if (!world) return Failure{exit_failed, form(_("Error: %s"), world.error().what.c_str())};
    const auto states = name_states(*world);
    const auto wrong = std::count_if(states.begin(), states.end(), [](const auto &s) { return s.is_fault(); });
    if (request.json) {
        auto all = json_object();
        all.update({{"changed", false}, {"good", wrong == 0}, {"names", Json::array()}});
        for (const auto &s : states) all["names"].push_back(json_of(s));
        print_json(all);
        return wrong == 0 ? std::nullopt : std::optional(Failure{exit_failed, {}});
    }
    for (const auto &s : states) print(text(s, translate) + "\n");
    if (wrong == 0) return {};
    return Failure{exit_failed, form(_("Error: %d of %d names do not hold."), static_cast<int>(wrong),
                                     static_cast<int>(states.size()))};
}

} // namespace nmib::cli
