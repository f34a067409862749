// SPDX-License-Identifier: LGPL-2.1-or-later
/// plan [PROFILE|IFACE] [--json]
#include "cli/base/table.hpp"
#include "cli/fabric/advice.hpp"
#include "cli/fabric/machine.hpp"
#include "cli/verb/verbs.hpp"
#include "core/printable.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace nmib::cli
{

namespace
{
using Json = nlohmann::ordered_json;

Json json_of(const Change &change, const Policy &policy)
{
    if (const auto *m = std::get_if<SetMode>(&change))
        return {{"interface", m->link.view()}, {"set", "mode"}, {"to", name(m->mode)}};
    if (const auto *u = std::get_if<SetMtu>(&change))
        return {{"interface", u->link.view()}, {"set", "mtu"}, {"to", u->at_most}};
    const auto &f = std::get<SetFeature>(change);
    return {{"interface", f.link.view()},
            {"set", "feature"},
            {"feature", f.feature.view()},
            {"to", f.on},
            {"quirk", f.quirk < policy.quirks.size() ? policy.quirks[f.quirk].name : ""}};
}

Json json_of(const Finding &finding)
{
    return {{"id", id(finding.code)}, {"severity", word(finding.severity)}, {"text", text(finding)}};
}

Json json_of(const Forecast &f, const Policy &policy)
{
    const bool named = !f.profile.uuid.empty();
    Json all = {{"interface", f.link.view()}, {"exists", !f.imagined}};
    all["profile"] = named ? Json(f.profile.id) : Json();
    all["uuid"] = named ? Json(f.profile.uuid) : Json();
    all["changes"] = Json::array();
    for (const auto &c : f.plan.changes) all["changes"].push_back(json_of(c, policy));
    all["findings"] = Json::array();
    for (const auto &x : f.plan.findings) all["findings"].push_back(json_of(x));
    all["refusal"] = f.plan.refusal ? json_of(*f.plan.refusal) : Json();
    return all;
}

std::string table_of(const Forecast &f, const Policy &policy)
{
    auto s = std::string(f.link.view());
    s += f.profile.uuid.empty() ? std::string(" ") + _("(no profile)")
                                : " " + form(_("(profile '%s')"), printable(f.profile.id).c_str());
    s += f.imagined ? std::string(" ") + _("(will be made)") + "\n" : "\n";
    const auto row = [&](const char *kind, const std::string &what) {
        s += "  " + padded(kind, 9) + " " + what + "\n";
    };
    if (f.plan.refusal) row(_("refused"), text(*f.plan.refusal, translate));
    for (const auto &c : f.plan.changes) {
        const auto link = std::visit([](const auto &x) { return x.link; }, c);
        row(_("change"), (link == f.link ? "" : link.str() + ": ") + future(c, policy));
    }
    for (const auto &x : f.plan.findings) row(_(word(x.severity)), text(x, translate));
    if (!f.plan.refusal && f.plan.changes.empty()) row(_("change"), _("none"));
    return s;
}

/// Whether a profile for any interface with the port's GUID is on one of the port's children.
bool is_on_child(const Forecast &port, const Result<Forecast> &there)
{
    const auto &intent = port.profile.intent;
    const auto *link = there && intent.anywhere ? there->facts.find(there->profile.intent.ifindex) : nullptr;
    return link && link->parent && link->parent == intent.ifindex;
}

Result<Forecast> forecast_profile(Machine &machine, const std::string &what)
{
    const auto *daemon = std::get_if<Daemon>(&machine.daemon());
    if (!daemon)
        return bad(form(_("%s: no InfiniBand interface, and for a profile NetworkManager has to run"),
                        printable(what).c_str()));
    const auto found = Profiles(*daemon).find({}, what);
    if (found.empty())
        return Error{Error::Kind::absent,
                     form(_("%s: neither an InfiniBand interface nor a profile"), printable(what).c_str())};
    const auto connection = daemon->profile(found.front().path);
    if (!connection) return connection.error();
    if (!nm_connection_is_type(connection->get(), "infiniband"))
        return bad(form(_("profile '%s' is not of type infiniband"), printable(what).c_str()));
    auto f = machine.forecast(connection->get());
    if (f ? f->imagined : f.error().kind != Error::Kind::absent) return f;
    if (const auto where = machine.interface_with(str(nm_connection_get_uuid(connection->get())))) {
        auto there = machine.forecast(*where);
        if (!f || *where == f->link || is_on_child(*f, there)) return there;
    }
    if (f) return f;
    return Error{Error::Kind::absent, form(_("profile '%s': its interface is not there"), printable(what).c_str())};
}

/// What one word stands for: an interface, or a profile, which counts where none is active on the interface.
Result<Forecast> forecast_of(Machine &machine, const std::string &what)
{
    const auto name = IfName::parse(what);
    auto interface = name ? machine.forecast(*name) : Result<Forecast>(Error{Error::Kind::absent, {}});
    if (interface && !interface->profile.uuid.empty()) return interface;
    auto profile = forecast_profile(machine, what);
    return profile || (!interface && interface.error().kind == Error::Kind::absent) ? profile : interface;
}
} // namespace

std::optional<Failure> plan_machine(Invocation &in)
{
    bool as_json = false;
    std::optional<std::string> what;
    while (!in.args.empty()) {
        auto w = in.args.take();
        if (w == "--json")
            as_json = true;
        else if (w.starts_with("-") || what)
            return Failure{exit_usage, _("Usage: nm-ib plan [PROFILE|IFACE] [--json]")};
        else
            what = std::move(w);
    }
    auto machine = Machine::open();
    if (!machine) return failure_of(machine.error());
    for (const auto &w : machine->warnings()) note(form(_("warning: %s"), w.what.c_str()));
    auto json = Json::array();
    std::string table;
    const auto show = [&](const Forecast &f) {
        if (as_json)
            json.push_back(json_of(f, machine->policy()));
        else
            table += table_of(f, machine->policy());
    };
    if (what) {
        const auto f = forecast_of(*machine, *what);
        const auto *down = f ? nullptr : std::get_if<Failure>(&machine->daemon());
        if (down) return Failure{down->code, failure_of(f.error()).text};
        if (!f) return failure_of(f.error());
        show(*f);
    } else {
        const auto all = machine->interfaces();
        if (!all) return failure_of(all.error());
        for (const auto &name : *all) {
            const auto f = machine->forecast(name);
            if (!f && f.error().kind != Error::Kind::absent) return failure_of(f.error());
            if (f) show(*f); // it may have gone meanwhile
        }
    }
    if (as_json)
        std::puts(Json{{"interfaces", std::move(json)}}.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
    else
        print(table.empty() ? std::string(_("No InfiniBand interface is there.")) + "\n" : table);
    return {};
}

} // namespace nmib::cli
