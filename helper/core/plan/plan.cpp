// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/plan.hpp"

#include "core/base/text.hpp"
#include "core/ib/ifname.hpp"

#include <algorithm>

namespace nmib
{

namespace
{

using Cause = Finding::Cause;

struct Planner {
    const Facts &facts;
    const Intent &intent;
    const Policy &policy;
    const Link &link;
    Plan plan{};

    void say(const Kind *kind, Severity severity = Severity::warning, std::vector<Message::Value> values = {},
             Cause cause = Cause::none)
    {
        values.emplace_back("profile", intent.profile);
        plan.findings.push_back({kind, link.name, severity, cause, std::move(values)});
    }

    void partition();
    void port();
    std::optional<TransportMode> mode();
    void mtu(std::optional<TransportMode> changed);
    bool may_be_clamped(Mtu asked, TransportMode mode) const noexcept;
    Cause mtu_cause(Mtu asked, TransportMode mode) const noexcept;
    void quirks();
    void quirk(std::size_t index);
    void unread();
    /// Returns true if an earlier quirk sets the feature. The first quirk wins, or two would undo each other forever.
    bool claimed(std::size_t index, const FeatureName &feature, const Link &l) const noexcept
    {
        const auto *first = policy.quirks.data();
        return std::any_of(first, first + index, [&](const Quirk &q) {
            return std::any_of(q.features.begin(), q.features.end(),
                               [&](const auto &s) { return s.name == feature; }) &&
                   matches(q, facts, l);
        });
    }
};

void Planner::partition()
{
    if (!intent.p_key) {
        // The profile matches by its mac-address, which children share with their port, or without any condition.
        if (intent.anywhere && link.is_child() && link.pkey)
            say(find_kind("partition-unasked"), Severity::warning, {{"other", link.pkey->str()}});
        return;
    }
    const auto wanted = PKey::from(*intent.p_key);
    if (!wanted || !link.pkey || link.pkey->partition() != wanted->partition()) {
        return say(find_kind("profile-in-wrong-partition"), Severity::error,
                   {{"key", hex(*intent.p_key, 4)}, {"other", hex(link.pkey ? link.pkey->value() : 0, 4)}});
    }
    if (!wanted->full_member())
        say(find_kind("pkey-membership-added"), Severity::note, {{"key", wanted->str()}, {"other", link.pkey->str()}});
    if (const auto *root = facts.root(link); root && root->name.size() > parent_name_limit)
        say(find_kind("parent-name-long"), Severity::warning, {{"parent", root->name.str()}});
}

void Planner::port()
{
    const auto *port = facts.port();
    if (!port) return;
    const auto say_of_port = [&](const Kind *kind) {
        say(kind, Severity::warning,
            {{"hca", facts.device->name},
             {"port", std::to_string(port->number)},
             {"key", link.pkey ? link.pkey->str() : std::string()}});
    };
    if (link.is_child() && link.pkey && port->pkeys) {
        const auto has = [&](bool full) {
            return std::any_of(port->pkeys->begin(), port->pkeys->end(), [&](const PKeyEntry &entry) {
                return entry.key.has_partition_of(*link.pkey) && (entry.key.full_member() || !full);
            });
        };
        const bool listed = has(false);
        if (!listed && !link.carrier)
            say_of_port(find_kind("pkey-not-in-table")); // a carrier proves the table outdated
        if (listed && !has(true)) say_of_port(find_kind("pkey-limited"));
    }
    if (port->sm_lid && *port->sm_lid == 0 && !link.carrier) say_of_port(find_kind("no-subnet-manager"));
}

/// Plans the mode; returns the new mode if it changes.
std::optional<TransportMode> Planner::mode()
{
    if (!intent.mode) return std::nullopt;
    if (!link.mode_writable) {
        say(find_kind("no-mode-file"));
        return std::nullopt;
    }
    auto wanted = *intent.mode;
    if (wanted == TransportMode::connected) {
        const auto denied = std::find_if(policy.quirks.begin(), policy.quirks.end(),
                                         [&](const Quirk &q) { return q.no_connected && matches(q, facts, link); });
        auto cause = Cause::none;
        if (link.mode == TransportMode::connected && denied == policy.quirks.end())
            cause = Cause::none;
        else if (!link.address.rc_capable())
            cause = Cause::no_rc;
        else if (denied != policy.quirks.end())
            cause = Cause::quirk;
        else if (link.connected_refused)
            cause = Cause::driver;
        if (cause != Cause::none) {
            // NetworkManager fails by itself, except for a quirk: the kernel does not know of the defect.
            const bool fail = policy.connected_impossible == Policy::Impossible::fail && cause != Cause::quirk;
            say(find_kind("connected-impossible"), fail ? Severity::error : Severity::warning,
                {{"cause", message(cause, cause == Cause::quirk ? denied->reason : std::string())},
                 {"effect", Message{fail ? N_("; the activation fails because of connected-impossible=fail in "
                                              "nm-ib.conf")
                                         : N_(", using datagram mode instead")}}},
                cause);
            if (fail) return std::nullopt;
            wanted = TransportMode::datagram;
        }
    }
    if (wanted == link.mode) return std::nullopt;
    plan.changes.push_back(SetMode{link.ifindex, link.name, wanted});
    return wanted;
}

/// Returns true if the kernel may have accepted the MTU and lowered it to the limit of the broadcast group
/// (ipoib_main.c, ipoib_change_mtu). Only Omni-Path has limits above 4092.
bool Planner::may_be_clamped(Mtu asked, TransportMode mode) const noexcept
{
    const bool omni_path = facts.device && facts.device->driver == "hfi1";
    return mode == TransportMode::datagram && mtu::is_group_limit(link.mtu) && !link.mtu_refused &&
           asked <= (omni_path ? mtu::datagram_maximum : mtu::infiniband_maximum);
}

/// The reason for an MTU that is lower than `asked`.
Cause Planner::mtu_cause(Mtu asked, TransportMode mode) const noexcept
{
    if (may_be_clamped(asked, mode)) return Cause::group;
    if (!intent.mtu_was_changed && !link.mtu_refused) return Cause::unseen;
    return link.mtu_refused || !*intent.mtu_was_changed ? Cause::refused : Cause::changed;
}

void Planner::mtu(std::optional<TransportMode> changed)
{
    if (!intent.mtu || *intent.mtu == 0) return;
    const auto mode = changed.value_or(link.mode);
    const Mtu asked = std::max(*intent.mtu, mtu::minimum);
    const bool settled = intent.mtu_is_settled || (link.mtu_ceiling && *link.mtu_ceiling <= link.mtu) ||
                         (intent.mtu_was_requested && may_be_clamped(asked, mode));
    // The MTU after a change of mode is unknown: connected mode has the device's maximum, datagram mode the lower of
    // the old MTU and the group's (ipoib_main.c, ipoib_set_mode). A known ceiling is the old mode's.
    if (!changed && link.mtu == asked) return;
    if (!changed && link.mtu < asked && settled) {
        const auto cause = mtu_cause(asked, mode);
        return say(link.carrier ? find_kind("mtu-limited") : find_kind("mtu-unknown"),
                   link.carrier ? Severity::warning : Severity::note,
                   {{"asked", std::to_string(asked)},
                    {"got", std::to_string(link.mtu)},
                    {"cause", message(cause, std::string(name(mode)))}},
                   cause);
    }
    plan.changes.push_back(SetMtu{link.ifindex, link.name, asked, mode, intent.ipv6_mtu});
}

void Planner::quirks()
{
    unread();
    for (std::size_t i = 0; i < policy.quirks.size(); i++)
        if (!policy.quirks[i].features.empty() || !policy.quirks[i].warning.empty()) quirk(i);
}

/// One finding is enough: all treated interfaces have the same cause.
void Planner::unread()
{
    const auto about = [&](const Link &l) {
        const auto *root = facts.root(l);
        const auto &why = l.unread.empty() && root && !facts.device ? root->unread : l.unread;
        const auto concerns = [&](const Quirk &q) {
            return facts.device ? !q.features.empty() && matches(q, facts, l) : may_match(q, facts, l);
        };
        if (why.empty() || std::none_of(policy.quirks.begin(), policy.quirks.end(), concerns)) return false;
        say(find_kind("quirk-unread"), Severity::error, {{"error", why}});
        return true;
    };
    if (about(link) || link.is_child()) return;
    for (const auto &l : facts.links)
        if (l.parent == link.ifindex && !l.has_profile && about(l)) return;
}

void Planner::quirk(std::size_t index)
{
    const auto &q = policy.quirks[index];
    if (!matches(q, facts, link)) return;
    if (!q.warning.empty())
        say(find_kind("quirk-warning"), Severity::warning, {{"warning", q.warning}, {"quirk", q.name}});
    for (const auto &setting : q.features) {
        const auto say_of_feature = [&](const Kind *kind, Severity severity) {
            say(kind, severity, {{"quirk", q.name}, {"feature", std::string(setting.name.view())}});
        };
        const bool asked_otherwise = std::any_of(intent.features.begin(), intent.features.end(), [&](const auto &a) {
            return a.name == setting.name && a.on != setting.on;
        });
        if (asked_otherwise) {
            say_of_feature(find_kind("quirk-refused"), Severity::warning);
            continue;
        }
        bool already = false, absent = false, unknown = false, overridden = false;
        auto treat = [&](const Link &l) {
            const auto it = std::find_if(l.features.begin(), l.features.end(),
                                         [&](const Feature &f) { return f.name == setting.name; });
            if (it == l.features.end() || !matches(q, facts, l) || claimed(index, setting.name, l)) return;
            if (!it->known)
                unknown = true;
            else if (!it->available)
                absent = true;
            else if (it->requested == setting.on)
                already = true;
            else if (intent.offloads_are_settled && l.ifindex == link.ifindex)
                overridden = true;
            else
                plan.changes.push_back(SetFeature{l.ifindex, l.name, setting.name, setting.on, index});
        };
        treat(link);
        if (!link.is_child())
            for (const auto &l : facts.links)
                if (l.parent == link.ifindex && !l.has_profile) treat(l);
        if (overridden) say_of_feature(find_kind("quirk-refused"), Severity::warning);
        if (already) say_of_feature(find_kind("quirk-already"), Severity::note);
        if (absent) say_of_feature(find_kind("quirk-kernel"), Severity::note);
        if (unknown) say_of_feature(find_kind("quirk-unknown"), Severity::warning);
    }
}

} // namespace

Plan plan(const Facts &facts, const Intent &intent, const Policy &policy)
{
    const auto *link = facts.find(intent.ifindex);
    if (!link) return {};
    Planner p{facts, intent, policy, *link};
    if (intent.skip) {
        p.say(find_kind("opted-out"), Severity::note);
        return std::move(p.plan);
    }
    p.partition();
    p.mtu(p.mode());
    p.quirks();
    p.port();
    return std::move(p.plan);
}

bool connected_is_tried(const Facts &facts, const Link &link, const Policy &policy)
{
    return std::any_of(policy.quirks.begin(), policy.quirks.end(),
                       [&](const Quirk &q) { return q.try_connected && matches(q, facts, link); });
}

std::vector<FeatureName> features_of_interest(const Facts &facts, const Link &link, const Policy &policy)
{
    std::vector<FeatureName> names;
    for (const auto &q : policy.quirks)
        if (!q.features.empty() && matches(q, facts, link))
            for (const auto &s : q.features)
                if (std::find(names.begin(), names.end(), s.name) == names.end()) names.push_back(s.name);
    return names;
}

} // namespace nmib
