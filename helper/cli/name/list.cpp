// SPDX-License-Identifier: LGPL-2.1-or-later
/// name list: every port, the name it was given, and whether that holds.
#include "cli/base/table.hpp"
#include "cli/connection/advice.hpp"
#include "cli/name/report.hpp"
#include "cli/name/world.hpp"
#include "core/base/printable.hpp"

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

} // namespace nmib::cli
