// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/plan/forecast.hpp"

#include "apply/rdma/words.hpp"
#include "config.h"
#include "core/base/text.hpp"
#include "core/ib/ifname.hpp"
#include "nm/profile.hpp"
#include "nm/profiles.hpp"
#include "probe/plan/state.hpp"
#include "probe/rdma/facts.hpp"
#include "terminal/glib.hpp"
#include "terminal/words.hpp"

#include <algorithm>
#include <climits>
#include <utility>

namespace nmib::cli
{

namespace
{
const Link *find(const Facts &facts, const IfName &name)
{
    const auto it = std::find_if(facts.links.begin(), facts.links.end(), [&](const Link &l) { return l.name == name; });
    return it == facts.links.end() ? nullptr : &*it;
}

/// Returns the port's membership in the partition of `link`; null if unknown.
const char *membership(const Facts &facts, const Link &link)
{
    const auto *port = facts.port();
    if (!port || !port->pkeys || !link.pkey) return nullptr;
    const auto listed = [&](PKey key) {
        return std::any_of(port->pkeys->begin(), port->pkeys->end(),
                           [=](const auto &entry) { return entry.key == key; });
    };
    if (listed(link.pkey->full())) return N_("full");
    return listed(*PKey::from(link.pkey->partition())) ? N_("limited") : N_("absent");
}

State state_of(const Forecast &f)
{
    const auto &link = *f.facts.find(f.asked.ifindex);
    const auto tso = std::find_if(link.features.begin(), link.features.end(),
                                  [](const Feature &x) { return x.name == tso_feature; });
    State s{.mode = link.mode, .mtu = link.mtu, .membership = membership(f.facts, link), .up = link.up};
    s.idle = link.mode == TransportMode::connected;
    s.carrier = link.up && link.carrier;
    if (link.pkey) s.p_key = link.pkey->value();
    if (tso != link.features.end()) s.tso = tso->requested;
    return s;
}

Link child_of(const Link &parent, const IfName &name, PKey key)
{
    auto child = parent;
    child.ifindex = INT_MAX;
    child.name = name;
    child.parent = parent.ifindex;
    child.mode = TransportMode::datagram;
    child.mtu = 2048 - mtu::encapsulation; // the minimum; the partition has its own multicast group
    child.mtu_ceiling.reset();
    child.up = child.carrier = false;
    for (auto &feature : child.features) feature.requested = feature.available;
    child.pkey = key.full();
    return child;
}

/// Refuses a P_Key child that NetworkManager cannot make: the parent's name is too long, or an interface has the key.
void refuse_child(Forecast &f, const std::optional<IfName> &holder)
{
    auto &findings = f.plan.findings;
    const auto it = std::find_if(findings.begin(), findings.end(),
                                 [](const Finding &x) { return x.kind == find_kind("parent-name-long"); });
    if (it != findings.end()) {
        refuse(f, std::move(*it));
        findings.erase(it);
    }
    if (!holder) return;
    auto finding = about(find_kind("pkey-taken"), f);
    finding.values.emplace_back("key", hex(*f.profile.intent.p_key, 4));
    finding.values.emplace_back("holder", holder->str());
    refuse(f, std::move(finding));
}
} // namespace

State now(const Forecast &f) { return f.imagined ? State{} : state_of(f); }

State asked(const Forecast &f)
{
    State s{.mode = f.asked.mode, .mtu = f.asked.mtu, .p_key = f.asked.p_key};
    for (const auto &x : f.asked.features)
        if (x.name == tso_feature) s.tso = x.on;
    return s;
}

State outcome(const Forecast &f)
{
    auto s = state_of(f);
    s.carrier.reset();
    s.at_most = f.imagined;
    if (f.imagined) s.mtu = f.asked.mtu.value_or(0) ? f.asked.mtu : mtu::maximum(*s.mode);
    for (const auto &change : f.plan.changes) {
        if (std::visit([](const auto &x) { return x.ifindex; }, change) != f.asked.ifindex) continue;
        if (const auto *m = std::get_if<SetMode>(&change)) {
            s.mode = m->mode;
            s.mtu = m->mode == TransportMode::connected ? mtu::maximum(m->mode)
                                                        : std::min(s.mtu.value_or(0), mtu::maximum(m->mode));
        }
        if (const auto *u = std::get_if<SetMtu>(&change)) s.mtu = u->at_most;
        const auto *x = std::get_if<SetFeature>(&change);
        if (!x) s.at_most = true;
        if (x && x->feature == tso_feature) s.tso = x->on;
    }
    s.idle = s.mode == TransportMode::connected;
    return s;
}

Result<Forecast> forecast_on(Facts facts, const IfName &name, const Profile &profile, const Policy &policy,
                             Moment moment)
{
    const auto *link = find(facts, name);
    if (!link) return Error{Error::Kind::absent, name.str()};
    Forecast f{name, profile, profile.intent, {}, {}, std::move(facts)};
    f.asked.ifindex = link->ifindex;
    f.profile.intent = narrowed(f.asked, moment);
    f.plan = nmib::plan(f.facts, f.profile.intent, policy);
    return f;
}

std::optional<Forecast> forecast_child(Facts facts, const Profile &profile, const Policy &policy,
                                       const std::optional<IfName> &holder)
{
    const auto &intent = profile.intent;
    const auto name = kernel_child_name(*intent.parent, *intent.p_key);
    const auto key = PKey::from(*intent.p_key);
    const auto *parent = find(facts, *intent.parent);
    if (!name || !key || !parent || parent->is_child()) return std::nullopt;
    const auto child = child_of(*parent, *name, *key);
    facts.links.push_back(child);
    facts.sort();
    auto f = *forecast_on(std::move(facts), *name, profile, policy, Moment::forecast);
    f.imagined = true;
    refuse_child(f, holder);
    return f;
}

void expect_activation(Forecast &f, bool plugin)
{
    const auto fails = [&](const Finding &x) {
        const bool without = !plugin && x.cause != Finding::Cause::quirk;
        return x.kind == find_kind("no-mode-file") ||
               (x.kind == find_kind("connected-impossible") && (x.severity == Severity::error || without));
    };
    auto &findings = f.plan.findings;
    const auto it = std::find_if(findings.begin(), findings.end(), fails);
    if (it == findings.end()) return;
    auto first = *it;
    if (!plugin && first.kind == find_kind("connected-impossible"))
        first.values.insert(
            first.values.begin(),
            {"effect", Message{N_("; without the device plugin NetworkManager cannot activate the profile")}});
    std::erase_if(findings, fails);
    refuse(f, std::move(first));
}

Finding about(const Kind *kind, const Forecast &f)
{
    return {.kind = kind, .link = f.link, .severity = Severity::note, .values = {{"profile", f.profile.id}}};
}

void refuse(Forecast &f, Finding finding)
{
    finding.severity = Severity::error;
    f.plan.changes.clear();
    f.refusal = std::move(finding);
}

std::string future(const Change &change, const Policy &policy)
{
    if (const auto *m = std::get_if<SetMode>(&change)) return form("transport mode will be {}", name(m->mode));
    if (const auto *u = std::get_if<SetMtu>(&change))
        return form("MTU will be {}, or what the subnet allows", u->at_most);
    const auto &f = std::get<SetFeature>(change);
    const auto feature = f.feature == tso_feature ? std::string("TSO") : std::string(f.feature.view());
    auto line = f.on ? form("{} will be switched on", feature) : form("{} will be switched off", feature);
    const auto quirk = f.quirk < policy.quirks.size() ? policy.quirks[f.quirk] : Quirk{};
    if (!quirk.reason.empty()) line += ": " + printable(quirk.reason);
    return line + " " + form("(quirk {})", printable(quirk.name));
}

const char *word(Severity severity)
{
    return severity == Severity::error ? N_("error") : severity == Severity::warning ? N_("warning") : N_("note");
}

std::optional<RdmaForecast> forecast_rdma(const Daemon &daemon, const std::string &profile)
{
    const auto found = Profiles(daemon).find({}, profile);
    const auto connection = found.empty() ? Result<Object<NMConnection>>(Error{}) : daemon.profile(found.front().path);
    if (!connection) return {};
    RdmaForecast f{.interface = str(nm_connection_get_interface_name(connection->get())),
                   .profile = str(nm_connection_get_id(connection->get())),
                   .uuid = str(nm_connection_get_uuid(connection->get()))};
    const auto read = rdma_words_of(connection->get());
    if (read) f.words = read->words;
    auto bad = read ? read->bad : std::vector{Message{"{error}", {{"error", read.error().what}}}};
    if (f.words.empty() && bad.empty()) return {};
    const auto name = IfName::parse(f.interface);
    const bool is_private = is_private_profile(connection->get());
    if (is_private && !f.words.skip) bad = {private_profile_refusal()};
    if (name)
        for (auto &why : bad)
            f.plan.findings.push_back({.kind = find_kind("rdma-word-bad"),
                                       .link = *name,
                                       .values = {{"profile", f.profile}, {"refusal", std::move(why)}}});
    auto rtnl = name ? Rtnl::open() : Result<Rtnl>(Error{});
    const auto row = rtnl.and_then([&](auto &r) { return r.link(*name); });
    const auto sysfs = Dir::open("/sys"), root = Dir::open("/");
    if (!row || !row->name || !sysfs || !root) return f;
    f.there = true;
    if (f.words.skip) return f;
    auto facts = read_rdma_facts(*sysfs, *row);
    for (auto &port : facts.ports)
        if (port.layer == LinkLayer::roce && port.has_cm)
            if (auto now = read_roce(rdma_cm_folder, port.device, port.port)) port.roce = *now; // for root only
    const auto kept = read_state(NMIB_STATE, state_rdma, row->ifindex);
    const auto plan = plan_rdma(
        facts, is_private ? RdmaWords{} : f.words, RdmaMade::parse(kept.value_or("")), f.profile,
        [&](unsigned vf) { return automatic_guid(*root, facts.port_guid.value_or(Guid{}), vf).value_or(Guid{}); });
    f.plan.steps = plan.steps;
    f.plan.findings.insert(f.plan.findings.end(), plan.findings.begin(), plan.findings.end());
    return f;
}

} // namespace nmib::cli
