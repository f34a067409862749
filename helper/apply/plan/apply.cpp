// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/plan/apply.hpp"

#include "apply/base/file.hpp"
#include "apply/plan/link.hpp"

#include <algorithm>
#include <iterator>

namespace nmib
{

namespace
{
/// Other users read only ceilings (nm-ib plan). The other kinds contain names of profiles.
unsigned file_mode(std::string_view kind) { return kind == state_mtu ? 0644 : 0600; }
} // namespace

Result<void> keep_state(const std::string &state, std::string_view kind, const IfName &name, int ifindex,
                        const std::string &text)
{
    const auto dir = make_dir(state);
    return dir ? write_file(*dir, state_file(kind, name), std::to_string(ifindex) + "\n" + text, file_mode(kind))
               : dir.error();
}

Result<void> keep_state(const std::string &state, std::string_view kind, int ifindex, const std::string &text)
{
    const auto dir = make_dir(state);
    return dir ? write_file(*dir, state_file(kind, ifindex), text, file_mode(kind)) : dir.error();
}

namespace
{

/// The kernel granted less than requested. The ceiling prevents further requests until the carrier changes.
void remember_ceiling(Probe &probe, const std::string &state, const SetMtu &change, Mtu effective)
{
    const auto changes = carrier_changes(probe.sysfs().root(), change.link);
    if (changes)
        (void)keep_state(state, state_mtu, change.link, change.ifindex,
                         Ceiling{change.mode, effective, *changes}.str());
}

/// Returns true if NetworkManager leaves this change to this project.
bool is_tried_ahead(const Change &change, const Facts &facts, const Policy &policy)
{
    const auto *m = std::get_if<SetMode>(&change);
    return m && m->mode == TransportMode::connected && connected_is_tried(facts, *facts.find(m->ifindex), policy);
}

/// Sets the MTU; `change` gets the MTU in effect.
Result<void> apply_mtu(Probe &probe, const std::string &state, const Result<LinkRow> &before, SetMtu &change,
                       Applied &out)
{
    const auto ipv6 = before ? KeptIpv6Mtu(probe.paths().proc, *before, change.ipv6) : KeptIpv6Mtu();
    const auto granted = raise_mtu(probe.rtnl(), change.ifindex, change.at_most, change.mode);
    if (!granted) {
        (void)ipv6.restore(before ? before->mtu : 0);
        return granted.error();
    }
    out.mtu_refused = granted->refused;
    if (granted->mtu < change.at_most) {
        remember_ceiling(probe, state, change, granted->mtu);
        out.ceiling = granted->mtu;
    }
    change.at_most = granted->mtu;
    if (const auto kept = ipv6.restore(granted->mtu); !kept) out.failures.push_back(kept.error());
    return {};
}
} // namespace

Applied apply(Probe &probe, const std::string &state, const Plan &plan, Use use)
{
    Applied out;
    bool mode_failed = false;
    for (auto change : plan.changes) {
        if (mode_failed && std::holds_alternative<SetMtu>(change)) continue; // meant for the mode that failed
        auto before = Result<LinkRow>(Error{});
        if (const auto *m = std::get_if<SetMtu>(&change)) before = probe.rtnl().link(m->ifindex);
        const auto done = std::visit(
            [&](auto &c) -> Result<void> {
                using T = std::decay_t<decltype(c)>;
                if constexpr (std::is_same_v<T, SetMode>)
                    return use == Use::active
                               ? set_mode(probe.sysfs(), c.link, c.ifindex, c.mode)
                               : set_mode_before_use(probe.sysfs(), probe.rtnl(), c.link, c.ifindex, c.mode);
                else if constexpr (std::is_same_v<T, SetMtu>)
                    return apply_mtu(probe, state, before, c, out);
                else
                    return probe.ethtool().set(c.link, c.ifindex, c.feature, c.on);
            },
            change);
        if (!done) {
            const auto *m = std::get_if<SetMode>(&change);
            mode_failed = mode_failed || m;
            if (m && m->mode == TransportMode::connected && done.error().kind == Error::Kind::refused) {
                out.connected_refused = true;
                continue;
            }
            if (done.error().kind != Error::Kind::absent) out.failures.push_back(done.error());
            continue;
        }
        const auto *m = std::get_if<SetMtu>(&change);
        if (m && before && before->mtu == m->at_most)
            out.idle++;
        else
            out.done.push_back(change);
    }
    return out;
}

Result<Outcome> plan_and_apply(Probe &probe, const std::string &state, const Intent &intent, const Policy &policy,
                               Probe::Depth depth, Use use)
{
    Outcome out;
    bool refused = false, mtu_refused = false;
    std::optional<Mtu> ceiling; // also used if its file cannot be written
    auto facts = probe.around(intent.ifindex, policy, depth);
    const auto think = [&] {
        if (auto *l = facts->find(intent.ifindex)) {
            l->connected_refused = refused;
            l->mtu_refused = mtu_refused;
            if (!l->mtu_ceiling) l->mtu_ceiling = ceiling;
            out.link = *l;
        }
        out.plan = plan(*facts, intent, policy);
        if (use == Use::ahead)
            std::erase_if(out.plan.changes, [&](const Change &c) { return !is_tried_ahead(c, *facts, policy); });
    };
    if (!facts) return facts.error();
    think();
    for (bool more = true; more && !out.plan.changes.empty();) {
        auto applied = apply(probe, state, out.plan, use);
        out.applied.failures = std::move(applied.failures);
        // If a driver refuses connected mode although the address promises it, there is a second plan, but no third.
        more = applied.connected_refused && !refused;
        refused |= applied.connected_refused;
        ceiling = applied.ceiling;
        mtu_refused = applied.mtu_refused;
        if (applied.done.size() + applied.idle != out.plan.changes.size() || !adopt(*facts, applied.done))
            facts = probe.around(intent.ifindex, policy, depth);
        auto &done = out.applied.done;
        std::move(applied.done.begin(), applied.done.end(), std::back_inserter(done));
        if (!facts) return facts.error();
        think();
    }
    // NetworkManager requested this MTU, and the kernel granted less.
    if (intent.mtu_was_requested && !intent.mtu_was_changed.value_or(false) && out.link &&
        out.link->mtu < intent.mtu.value_or(0))
        remember_ceiling(probe, state, {out.link->ifindex, out.link->name, *intent.mtu, out.link->mode}, out.link->mtu);
    return out;
}

std::vector<Finding> findings(const Outcome &outcome)
{
    auto all = outcome.plan.findings;
    const auto &done = outcome.applied.done;
    if (std::any_of(done.begin(), done.end(), [](const Change &c) { return std::holds_alternative<SetFeature>(c); }))
        std::erase_if(all, [](const Finding &f) { return f.kind == find_kind("quirk-already"); });
    return all;
}

std::vector<std::pair<Severity, std::string>> lines(const Outcome &outcome, const Policy &policy, bool quiet)
{
    std::vector<std::pair<Severity, std::string>> out;
    for (auto &t : text(outcome.applied.done, policy)) out.emplace_back(Severity::note, std::move(t));
    for (const auto &e : outcome.applied.failures) out.emplace_back(Severity::error, e.what);
    if (quiet && out.empty()) return out;
    for (const auto &f : findings(outcome)) out.emplace_back(f.severity, text(f));
    return out;
}

} // namespace nmib
