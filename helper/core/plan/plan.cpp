// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/plan.hpp"

#include "core/ib/ifname.hpp"

#include <algorithm>

namespace nmib
{

namespace
{

using Code = Finding::Code;
using Cause = Finding::Cause;
using Severity = Finding::Severity;

struct Planner {
    const Facts &facts;
    const Intent &intent;
    const Policy &policy;
    const Link &link;
    Plan plan{};

    Finding finding(Code code, Severity severity = Severity::warning) const
    {
        Finding f{code, link.name, severity};
        f.profile = intent.profile;
        return f;
    }
    void say(Finding f) { plan.findings.push_back(std::move(f)); }

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
        if (intent.anywhere && link.is_child() && link.pkey) {
            auto f = finding(Code::partition_unasked);
            f.other_key = link.pkey->value();
            say(std::move(f));
        }
        return;
    }
    const auto wanted = PKey::from(*intent.p_key);
    if (!wanted || !link.pkey || link.pkey->partition() != wanted->partition()) {
        auto f = finding(Code::wrong_partition, Severity::error);
        f.key = *intent.p_key;
        f.other_key = link.pkey ? link.pkey->value() : 0;
        return say(std::move(f));
    }
    if (!wanted->full_member()) {
        auto f = finding(Code::pkey_membership_added, Severity::note);
        f.key = wanted->value();
        f.other_key = link.pkey->value();
        say(std::move(f));
    }
    if (const auto *root = facts.root(link); root && root->name.size() > parent_name_limit) {
        auto f = finding(Code::parent_name_long);
        f.subject = root->name.str();
        say(std::move(f));
    }
}

void Planner::port()
{
    const auto *port = facts.port();
    if (!port) return;
    auto about_port = [&](Code code) {
        auto f = finding(code);
        f.subject = facts.device->name;
        f.port = port->number;
        f.key = link.pkey ? link.pkey->value() : 0;
        return f;
    };
    if (link.is_child() && link.pkey && port->pkeys) {
        const auto has = [&](bool full) {
            return std::any_of(port->pkeys->begin(), port->pkeys->end(), [&](const PKeyEntry &entry) {
                return entry.key.has_partition_of(*link.pkey) && (entry.key.full_member() || !full);
            });
        };
        const bool listed = has(false);
        if (!listed && !link.carrier) say(about_port(Code::pkey_not_in_table)); // a carrier proves the table outdated
        if (listed && !has(true)) say(about_port(Code::pkey_limited));
    }
    if (port->sm_lid && *port->sm_lid == 0 && !link.carrier) say(about_port(Code::no_subnet_manager));
}

/// Plans the mode; returns the new mode if it changes.
std::optional<TransportMode> Planner::mode()
{
    if (!intent.mode) return std::nullopt;
    if (!link.mode_writable) {
        say(finding(Code::no_mode_file));
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
            auto f = finding(fail ? Code::connected_refused : Code::connected_impossible,
                             fail ? Severity::error : Severity::warning);
            f.cause = cause;
            if (cause == Cause::quirk) {
                f.subject = denied->name;
                f.detail = denied->reason;
            }
            say(std::move(f));
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
        auto f = finding(link.carrier ? Code::mtu_limited : Code::mtu_unknown,
                         link.carrier ? Severity::warning : Severity::note);
        f.asked = asked;
        f.got = link.mtu;
        f.cause = mtu_cause(asked, mode);
        f.detail = name(mode);
        say(std::move(f));
        return;
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
        auto f = finding(Code::quirk_unread, Severity::error);
        f.detail = why;
        say(std::move(f));
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
    auto about = [&](Code code, Severity severity, std::string detail) {
        auto f = finding(code, severity);
        f.subject = q.name;
        f.detail = std::move(detail);
        return f;
    };
    if (!q.warning.empty()) say(about(Code::quirk_warning, Severity::warning, q.warning));
    for (const auto &setting : q.features) {
        const bool asked_otherwise = std::any_of(intent.features.begin(), intent.features.end(), [&](const auto &a) {
            return a.name == setting.name && a.on != setting.on;
        });
        if (asked_otherwise) {
            say(about(Code::quirk_refused, Severity::warning, std::string(setting.name.view())));
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
        if (overridden) say(about(Code::quirk_refused, Severity::warning, std::string(setting.name.view())));
        if (already) say(about(Code::quirk_already, Severity::note, std::string(setting.name.view())));
        if (absent) say(about(Code::quirk_kernel, Severity::note, std::string(setting.name.view())));
        if (unknown) say(about(Code::quirk_unknown, Severity::warning, std::string(setting.name.view())));
    }
}

} // namespace

Plan plan(const Facts &facts, const Intent &intent, const Policy &policy)
{
    const auto *link = facts.find(intent.ifindex);
    if (!link) return {};
    Planner p{facts, intent, policy, *link};
    if (intent.skip) {
        p.say(p.finding(Code::opted_out, Severity::note));
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
