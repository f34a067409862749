// SPDX-License-Identifier: LGPL-2.1-or-later
/// plan [PROFILE|IFACE] [--json], apply IFACE
#include "apply/apply.hpp"
#include "cli/advice.hpp"
#include "cli/forecast.hpp"
#include "cli/json.hpp"
#include "cli/keyfiles.hpp"
#include "cli/profile.hpp"
#include "cli/verbs.hpp"
#include "config.h"
#include "core/number.hpp"
#include "core/printable.hpp"

#include <cstdio>

namespace nmib::cli
{

namespace
{
using Severity = Finding::Severity;

const char *word(Severity severity)
{
    return severity == Severity::error ? N_("error") : severity == Severity::warning ? N_("warning") : N_("note");
}

/// A profile by UUID, from its file or from the daemon.
std::optional<Profile> profile_of(const std::string &uuid)
{
    const auto all = scan_names();
    if (const auto name = all ? find_name(*all, &Name::uuid, uuid) : std::nullopt)
        if (auto p = read_profile(name->known().file)) return std::move(*p);
    auto connected = Daemon::connect();
    const auto *daemon = std::get_if<Daemon>(&connected);
    const auto path = daemon ? daemon->path_of(uuid) : Result<std::string>(bad(""));
    const auto connection = path ? daemon->profile(*path) : Result<Object<NMConnection>>(bad(""));
    if (!connection) return std::nullopt;
    if (auto p = core_profile(connection->get())) return std::move(*p);
    return std::nullopt;
}

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

/// What one word stands for: an interface, or a profile.
Result<Forecast> forecast_of(Machine &machine, const std::string &what)
{
    const auto name = IfName::parse(what);
    if (name) {
        const auto uuid = machine.active_profile(*name);
        auto f = machine.forecast(*name, uuid ? profile_of(*uuid) : std::nullopt);
        if (f || f.error().kind == Error::Kind::unsupported) return f;
    }
    auto connected = Daemon::connect();
    const auto *daemon = std::get_if<Daemon>(&connected);
    if (!daemon)
        return bad(form(_("%s: no InfiniBand interface, and no profile can be asked for: %s"), printable(what).c_str(),
                        std::get<Failure>(connected).text.c_str()));
    const auto found = Profiles(*daemon).find({}, what);
    if (found.empty())
        return Error{Error::Kind::absent,
                     form(_("%s: neither an InfiniBand interface nor a profile"), printable(what).c_str())};
    const auto connection = daemon->profile(found.front().path);
    if (!connection) return connection.error();
    if (!nm_connection_is_type(connection->get(), "infiniband"))
        return bad(form(_("profile '%s' is not of type infiniband"), printable(what).c_str()));
    const auto profile = core_profile(connection->get());
    if (!profile) return profile.error();
    if (auto f = machine.forecast(*profile, interface_of(connection->get()))) return std::move(*f);
    return Error{Error::Kind::absent, form(_("profile '%s': its interface is not there"), printable(what).c_str())};
}

Failure failure_of(const Error &error)
{
    return {error.kind == Error::Kind::absent ? exit_not_found : exit_failed, form(_("Error: %s"), error.what.c_str())};
}
} // namespace

std::optional<Failure> plan_machine(Invocation &in)
{
    bool as_json = false;
    Words names;
    while (!in.args.empty()) {
        auto w = in.args.take();
        if (w == "--json")
            as_json = true;
        else if (w.starts_with("-") || !names.empty())
            return Failure{exit_usage, _("Usage: nm-ib plan [PROFILE|IFACE] [--json]")};
        else
            names.push_back(std::move(w));
    }
    auto machine = Machine::open();
    if (!machine) return failure_of(machine.error());
    for (const auto &w : machine->warnings()) note(form(_("warning: %s"), w.what.c_str()));
    if (names.empty()) {
        const auto all = machine->interfaces();
        if (!all) return failure_of(all.error());
        for (const auto &n : *all) names.push_back(n.str());
    }
    std::vector<std::string> shown;
    for (const auto &n : names) {
        const auto f = forecast_of(*machine, n);
        if (!f) return failure_of(f.error());
        shown.push_back(as_json ? json_of(*f, machine->policy()) : table_of(*f, machine->policy()));
    }
    if (as_json)
        std::printf("%s\n", json::object({{"interfaces", json::array(shown)}}).c_str());
    else if (shown.empty())
        print(std::string(_("No InfiniBand interface is there.")) + "\n");
    else
        print(join(shown, ""));
    return {};
}

std::optional<Failure> apply_now(Invocation &in)
{
    const auto name = in.args.left() == 1 ? IfName::parse(in.args.front()) : std::nullopt;
    if (!name || in.args.front().starts_with('-')) return Failure{exit_usage, _("Usage: nm-ib apply IFACE")};
    auto machine = Machine::open();
    if (!machine) return failure_of(machine.error());
    auto f = forecast_of(*machine, name->str());
    if (!f) return failure_of(f.error());
    const auto outcome = settle(machine->probe(), NMIB_STATE, f->profile.intent, machine->policy());
    if (!outcome) return failure_of(outcome.error());
    for (const auto &line : text(outcome->applied.done, machine->policy(), translate)) print(line + "\n");
    for (const auto &finding : outcome->plan.findings)
        note(form("%s: %s", _(word(finding.severity)), text(finding, translate).c_str()));
    if (outcome->plan.refusal)
        return Failure{exit_failed, form(_("Error: %s"), text(*outcome->plan.refusal, translate).c_str())};
    if (outcome->applied.failures.empty()) return {};
    Words failed;
    for (const auto &e : outcome->applied.failures) failed.push_back(e.what);
    return Failure{exit_failed, form(_("Error: %s"), join(failed, "\n").c_str())};
}

} // namespace nmib::cli
