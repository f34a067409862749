// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/plan/plan.hpp"

#include "apply/plan/apply.hpp"
#include "config.h"
#include "core/base/text.hpp"
#include "terminal/json.hpp"
#include "terminal/table.hpp"
#include "verbs/plan/forecast.hpp"
#include "verbs/plan/machine.hpp"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
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
    return {{"id", finding.kind->id}, {"severity", word(finding.severity)}, {"text", text(finding)}};
}

Json json_of(const State &s)
{
    const auto known = [](const auto &value) { return value ? Json(*value) : Json(); };
    return {{"mode", s.mode ? Json(name(*s.mode)) : Json()},
            {"mtu", known(s.mtu)},
            {"p_key", s.p_key ? Json(hex(*s.p_key, 4)) : Json()},
            {"membership", s.membership ? Json(s.membership) : Json()},
            {"carrier", known(s.carrier)},
            {"tso", known(s.tso)}};
}

Json json_of(const Forecast &f, const Policy &policy)
{
    const bool named = !f.profile.uuid.empty();
    Json all = {{"interface", f.link.view()}, {"exists", !f.imagined}};
    all["profile"] = named && f.profile_unread.empty() ? Json(f.profile.id) : Json();
    all["uuid"] = named ? Json(f.profile.uuid) : Json();
    all["active"] = f.active;
    all["now"] = json_of(now(f));
    all["asked"] = json_of(asked(f));
    all["changes"] = Json::array();
    for (const auto &c : f.plan.changes) all["changes"].push_back(json_of(c, policy));
    all["findings"] = Json::array();
    for (const auto &x : f.plan.findings) all["findings"].push_back(json_of(x));
    all["refusal"] = f.refusal ? json_of(*f.refusal) : Json();
    return all;
}

Json json_of(const RdmaForecast &f)
{
    Json all = {{"interface", f.interface}, {"exists", f.there}, {"profile", f.profile}, {"uuid", f.uuid}};
    all["words"] = Json::object();
    for (const auto &line : cut(text(f.words), "\n")) {
        const auto equals = line.find('=');
        all["words"][line.substr(0, equals)] = line.substr(equals + 1);
    }
    all["changes"] = Json::array();
    for (const auto &step : f.plan.steps) all["changes"].push_back(text(step));
    all["findings"] = Json::array();
    for (const auto &x : f.plan.findings) all["findings"].push_back(json_of(x));
    return all;
}

/// Breaks a sentence into lines only on a terminal.
std::string line_of(const std::string &start, const std::string &text)
{
    winsize terminal{};
    const bool fits = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) == 0 && terminal.ws_col > 24;
    return folded(start, text, static_cast<std::size_t>(screen_width(start)), fits ? terminal.ws_col : SIZE_MAX);
}

/// `missing`: shown for unset values.
Words row(const std::string &title, const State &s, const std::string &missing, const std::string &profile)
{
    const auto mtu = !s.mtu ? missing : *s.mtu == 0 ? _("auto") : (s.at_most ? "<=" : "") + std::to_string(*s.mtu);
    const auto key = !s.p_key ? missing : hex(*s.p_key, 4) + " " + (s.membership ? _(s.membership) : missing);
    const auto tso = !s.tso ? missing : !*s.tso ? _("off") : s.idle ? _("idle") : _("on");
    const auto carrier = !s.carrier ? "" : !s.up ? _("down") : *s.carrier ? _("yes") : _("no");
    return {title, s.mode ? std::string(name(*s.mode)) : missing, mtu, key, carrier, tso, profile};
}

std::string lines_of(const Forecast &f, const Policy &policy, bool many)
{
    std::string s;
    const auto say = [&](const char *kind, std::string what) {
        const auto own = printable(f.link.view()) + ": ";
        const auto start = "  " + padded(kind, 8) + " ";
        if (what.starts_with(own)) what.erase(0, own.size());
        s += line_of(start, what);
    };
    const auto id = printable(f.profile.id);
    if (f.refusal) say(_("refused"), text(*f.refusal, translate));
    if (f.imagined && !f.refusal) say(_("change"), _("the interface will be made"));
    for (const auto &c : f.plan.changes) {
        const auto link = std::visit([](const auto &x) { return printable(x.link.view()); }, c);
        const bool quirk = std::holds_alternative<SetFeature>(c);
        say(_("change"), link + ": " + future(c, policy) + (quirk ? "" : " " + form("(profile '{}')", id)));
    }
    for (const auto &x : f.plan.findings) say(_(word(x.severity)), text(x, translate));
    if (!f.profile_unread.empty()) say(_("note"), form("profile {}: {}", f.profile.uuid, f.profile_unread));
    const auto is = now(f);
    const auto &unread = f.facts.find(f.asked.ifindex)->unread;
    if (!f.imagined && (!is.tso || !is.membership))
        say(_("note"),
            form("'?' cannot be read: {}", unread.empty() ? _("the port's P_Key table") : printable(unread)));
    if (!many && !f.refusal && !f.imagined && f.plan.changes.empty()) say(_("change"), _("none"));
    return s;
}

/// Returns each interface's state; below: the requested state, the future state, and the reasons. With `many`: one row
/// for an interface without changes, and no changes of other interfaces.
std::string table_of(std::vector<Forecast> all, const Policy &policy, bool many)
{
    Rows grid{{_("INTERFACE"), _("MODE"), "MTU", "P_KEY", _("CARRIER"), "TSO", _("PROFILE")}, {}};
    Words below = {""}; // by table line: the lines below
    for (auto &f : all) {
        auto &[changes, findings] = f.plan;
        const auto others = [&](const auto &x) { return x.link != f.link; };
        if (many) std::erase_if(changes, [&](const Change &c) { return std::visit(others, c); });
        if (many) std::erase_if(findings, [](const Finding &x) { return x.kind == find_kind("quirk-already"); });
        const auto id = f.profile_unread.empty() ? printable(f.profile.id) : "?";
        const bool waits = !f.active && !f.profile.uuid.empty();
        grid.rows.push_back(
            row(printable(f.link.view()), now(f), f.imagined ? "" : "?", waits ? form("{} (not active)", id) : id));
        if (!many || f.refusal || !changes.empty()) {
            if (!f.profile.uuid.empty()) grid.rows.push_back(row(_("  asked"), asked(f), "", " "));
            if (!f.refusal && !f.asked.skip) grid.rows.push_back(row(_("  will be"), outcome(f), "?", " "));
        }
        below.resize(grid.rows.size());
        below.push_back(lines_of(f, policy, many));
    }
    std::string s;
    const auto lines = cut(*table({}, grid), "\n");
    for (std::size_t i = 0; i < lines.size(); i++)
        s += lines[i].substr(0, lines[i].find_last_not_of(' ') + 1) + "\n" + below[i];
    return s;
}

std::string lines_of(const RdmaForecast &f)
{
    std::string s;
    const auto say = [&](const char *kind, const std::string &what) {
        const auto start = "  " + padded(kind, 8) + " ";
        s += line_of(start, what);
    };
    for (const auto &step : f.plan.steps) say(_("change"), text(step, translate));
    for (const auto &x : f.plan.findings) say(_(word(x.severity)), text(x, translate));
    if (f.words.skip) say(_("note"), _("rdma.skip yes: nm-ib leaves everything to NetworkManager"));
    if (!f.there)
        say(_("note"), form("interface {} does not exist", f.interface.empty() ? "--" : printable(f.interface)));
    return message(untranslated, "{}: rdma {}\n", printable(f.profile), join(cut(text(f.words), "\n"), ", ")) +
           (s.empty() ? "  " + padded(_("change"), 8) + " " + _("none") + "\n" : s);
}
} // namespace

Status plan_machine(const Request &request)
{
    if (auto done = refuse_columns(request); !done) return done;
    const auto what = request.words.empty() ? std::nullopt : std::optional(request.words.front());
    auto machine = Machine::open();
    if (!machine) return failure_of(machine.error());
    for (const auto &w : machine->warnings()) note(form("warning: {}", w.what));
    std::vector<Forecast> all;
    const auto *running = machine->daemon() ? &*machine->daemon() : nullptr;
    const auto rdma = what && running ? forecast_rdma(*running, *what) : std::nullopt;
    if (what) {
        auto f = forecast_of(*machine, *what);
        if (!f && !rdma) {
            auto failure = failure_of(f.error());
            if (!machine->daemon()) failure.code = machine->daemon().error().code;
            return failure;
        }
        if (f) all.push_back(std::move(*f));
    } else {
        const auto names = machine->interfaces();
        if (!names) return failure_of(names.error());
        for (const auto &name : *names) {
            auto f = machine->forecast(name);
            if (!f && f.error().kind != Error::Kind::absent) return failure_of(f.error());
            if (f) all.push_back(std::move(*f)); // may be gone meanwhile
        }
    }
    if (!all.empty() && !machine->daemon()) note(_("NetworkManager cannot be reached: no profile counts as active"));
    if (request.has("--json")) {
        auto json = json_object();
        json["interfaces"] = Json::array();
        for (const auto &f : all) json["interfaces"].push_back(json_of(f, machine->policy()));
        if (rdma) json["rdma"] = json_of(*rdma);
        print_json(json);
    } else {
        if (rdma) print(lines_of(*rdma));
        if (!rdma || !all.empty())
            print(all.empty() ? std::string(_("No InfiniBand interface found.")) + "\n"
                              : table_of(std::move(all), machine->policy(), !what));
    }
    return {};
}

Status apply_now(const Request &request)
{
    auto machine = Machine::open();
    if (!machine) return failure_of(machine.error());
    auto f = forecast_active(*machine, request.words.front());
    if (!f && !machine->daemon() && f.error().kind != Error::Kind::denied)
        return Failure{machine->daemon().error().code, failure_of(f.error()).text};
    if (!f) return failure_of(f.error());
    const auto outcome =
        plan_and_apply(machine->probe(), NMIB_STATE, f->profile.intent, machine->policy(), Probe::Depth::firmware);
    if (!outcome) return failure_of(outcome.error());
    for (const auto &line : text(outcome->applied.done, machine->policy(), translate)) print(line + "\n");
    for (const auto &finding : findings(*outcome))
        note(message(untranslated, "{}: {}", _(word(finding.severity)), text(finding, translate)));
    if (outcome->applied.failures.empty()) return {};
    Words lines;
    for (const auto &e : outcome->applied.failures) lines.push_back(e.what);
    return failed(join(lines, "\n"));
}

} // namespace nmib::cli
