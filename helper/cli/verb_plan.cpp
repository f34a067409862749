// SPDX-License-Identifier: LGPL-2.1-or-later
/// plan [PROFILE|IFACE] [--json]
#include "cli/advice.hpp"
#include "cli/forecast.hpp"
#include "cli/json.hpp"
#include "cli/verbs.hpp"
#include "core/printable.hpp"

#include <cstdio>

namespace nmib::cli
{

namespace
{
std::string json_of(const Change &change, const Policy &policy)
{
    using json::quoted;
    if (const auto *m = std::get_if<SetMode>(&change))
        return json::object(
            {{"interface", quoted(m->link.view())}, {"set", quoted("mode")}, {"to", quoted(name(m->mode))}});
    if (const auto *u = std::get_if<SetMtu>(&change))
        return json::object(
            {{"interface", quoted(u->link.view())}, {"set", quoted("mtu")}, {"to", std::to_string(u->at_most)}});
    const auto &f = std::get<SetFeature>(change);
    return json::object({{"interface", quoted(f.link.view())},
                         {"set", quoted("feature")},
                         {"feature", quoted(f.feature.view())},
                         {"to", f.on ? "true" : "false"},
                         {"quirk", quoted(f.quirk < policy.quirks.size() ? policy.quirks[f.quirk].name : "")}});
}

std::string json_of(const Finding &finding)
{
    return json::object({{"id", json::quoted(id(finding.code))},
                         {"severity", json::quoted(word(finding.severity))},
                         {"text", json::quoted(text(finding))}});
}

std::string json_of(const Forecast &f, const Policy &policy)
{
    std::vector<std::string> changes, findings;
    for (const auto &c : f.plan.changes) changes.push_back(json_of(c, policy));
    for (const auto &x : f.plan.findings) findings.push_back(json_of(x));
    return json::object({{"interface", json::quoted(f.link.view())},
                         {"exists", f.imagined ? "false" : "true"},
                         {"profile", f.profile.uuid.empty() ? "null" : json::quoted(f.profile.id)},
                         {"uuid", f.profile.uuid.empty() ? "null" : json::quoted(f.profile.uuid)},
                         {"changes", json::array(changes)},
                         {"findings", json::array(findings)},
                         {"refusal", f.plan.refusal ? json_of(*f.plan.refusal) : "null"}});
}

std::string table_of(const Forecast &f, const Policy &policy)
{
    auto s = std::string(f.link.view());
    s += f.profile.uuid.empty() ? std::string(" ") + _("(no profile)")
                                : " " + form(_("(profile '%s')"), printable(f.profile.id).c_str());
    s += f.imagined ? std::string(" ") + _("(will be made)") + "\n" : "\n";
    const auto row = [&](const char *kind, const std::string &what) { s += form("  %-9s %s\n", kind, what.c_str()); };
    if (f.plan.refusal) row(_("refused"), text(*f.plan.refusal, translate));
    for (const auto &c : f.plan.changes) {
        const auto link = std::visit([](const auto &x) { return x.link; }, c);
        row(_("change"), (link == f.link ? "" : link.str() + ": ") + future(c, policy));
    }
    for (const auto &x : f.plan.findings) row(_(word(x.severity)), text(x, translate));
    if (!f.plan.refusal && f.plan.changes.empty()) row(_("change"), _("none"));
    return s;
}

Result<Forecast> forecast_profile(Machine &machine, const std::string &what)
{
    const auto *daemon = std::get_if<Daemon>(&machine.daemon());
    if (!daemon)
        return bad(form(_("%s: no InfiniBand interface, and no profile can be asked for: %s"), printable(what).c_str(),
                        std::get<Failure>(machine.daemon()).text.c_str()));
    const auto found = Profiles(*daemon).find({}, what);
    if (found.empty())
        return Error{Error::Kind::absent,
                     form(_("%s: neither an InfiniBand interface nor a profile"), printable(what).c_str())};
    const auto connection = daemon->profile(found.front().path);
    if (!connection) return connection.error();
    if (!nm_connection_is_type(connection->get(), "infiniband"))
        return bad(form(_("profile '%s' is not of type infiniband"), printable(what).c_str()));
    auto f = machine.forecast(connection->get());
    if (f || f.error().kind != Error::Kind::absent) return f;
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
    std::vector<std::string> shown;
    const auto show = [&](const Forecast &f) {
        shown.push_back(as_json ? json_of(f, machine->policy()) : table_of(f, machine->policy()));
    };
    if (what) {
        const auto f = forecast_of(*machine, *what);
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
        std::printf("%s\n", json::object({{"interfaces", json::array(shown)}}).c_str());
    else if (shown.empty())
        print(std::string(_("No InfiniBand interface is there.")) + "\n");
    else
        print(join(shown, ""));
    return {};
}

} // namespace nmib::cli
