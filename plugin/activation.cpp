// SPDX-License-Identifier: GPL-2.0-or-later
#include "activation.hpp"

#include "abi.hpp"

#include <algorithm>
#include <utility>

namespace nmib
{

namespace
{
using Code = Finding::Code;
using Severity = Finding::Severity;

/// Number of looks, one per second, for a carrier that only NetworkManager believes to be present.
constexpr unsigned most_patience = 30;

/// Milliseconds that NetworkManager needs to carry out Reapply.
constexpr unsigned reapply_takes = 1000;

/// Milliseconds until the next attempt to read a value that a quirk needs. The number of attempts is not limited.
constexpr unsigned unread_again = 5000;
} // namespace

void Activation::state(unsigned now, unsigned reason)
{
    restore_mode();
    switch (now) {
    case abi::prepare: prepare(); break;
    case abi::config: config(); break;
    case abi::activated: activated(); break;
    case abi::unmanaged: run_.last.ifindex = 0; break;
    case abi::unavailable: assumed_ = reason == abi::connection_assumed; break;
    case abi::disconnected:
        assumed_ = reason == abi::connection_assumed;
        // NetworkManager restores the offloads that a profile set; offloads that a quirk switches off must stay off.
        if (run_.intent) plan_and_apply(Moment::disconnected, {});
        break;
    default: break;
    }
    if (now < abi::prepare || now >= abi::deactivating) signals_.stop();
    if (now < abi::prepare) run_.intent.reset();
    if (const auto i = device_.ifindex(); i && now >= abi::prepare) run_.last.ifindex = i;
}

void Activation::prepare()
{
    signals_.stop();
    run_ = {};
    if (auto uuid = device_.profile_uuid(); uuid != logged_for_) {
        logged_ = {};
        logged_for_ = std::move(uuid);
    }
    logged_.next();
    if (device_.hands_off()) return debug("the connection is external");
    run_.intent = device_.intent();
    if (!run_.intent) return debug("not an InfiniBand profile");
    run_.last.skipped = run_.intent->skip;
    run_.last.limited_key = run_.intent->p_key && (*run_.intent->p_key & 0x8000) == 0 && !run_.intent->skip;
    if (run_.intent->skip) {
        run_.intent.reset();
        return debug("the profile has rdma.skip yes");
    }
    if (assumed_) return debug("taken over from an earlier daemon, the mode is not changed");
    decide_mode();
}

void Activation::decide_mode()
{
    auto &probe = around_.probe.get();
    const auto outcome = probe.and_then([&](auto &p) {
        return nmib::plan_and_apply(p, around_.state, narrowed(*run_.intent, Moment::prepare), around_.policy(),
                                    Probe::Depth::link, Use::ahead);
    });
    if (!outcome) return unseen(outcome.error());
    for (const auto &e : outcome->applied.failures) say(Severity::error, e.what);
    for (const auto &f : outcome->plan.findings) {
        if (f.code == Code::connected_impossible) override_mode(std::string(name(TransportMode::datagram)));
        // NetworkManager may fail the activation next, so this is the last moment to log.
        if (f.code == Code::connected_impossible || f.code == Code::connected_refused || f.code == Code::no_mode_file)
            say(f.severity, text(f));
    }
}

void Activation::override_mode(const std::string &word)
{
    auto now = device_.mode();
    busy_ = true;
    if (now && *now != word && device_.set_mode(word)) run_.profile_mode = std::move(now);
    busy_ = false;
}

void Activation::restore_mode()
{
    if (!run_.profile_mode) return;
    busy_ = true;
    device_.set_mode(*run_.profile_mode);
    busy_ = false;
    run_.profile_mode.reset();
}

void Activation::config()
{
    if (!run_.intent) return;
    plan_and_apply(Moment::config, carrier_epoch());
    signals_.start();
}

std::optional<LinkRow> Activation::read_link()
{
    auto &probe = around_.probe.get();
    auto link = probe.and_then([&](auto &p) { return p.rtnl().link(device_.ifindex()); });
    if (link && link->name) return *link;
    if (!link) unseen(link.error());
    return std::nullopt;
}

void Activation::activated()
{
    if (!run_.intent) return;
    run_.patience = most_patience;
    const bool reapplied = std::exchange(run_.reapplied, false);
    signals_.start();
    const auto epoch = carrier_epoch();
    const auto link = read_link();
    if (!link) return;
    const auto &left = run_.left;
    const bool granted = assumed_ || link->mtu >= run_.intent->mtu.value_or(0);
    const bool switched = left && (link->mode != left->mode || (reapplied && !left->features.empty()));
    if (run_.open || !granted || !left || switched || !link->carrier) {
        plan_and_apply(Moment::activated, epoch, &*link);
    } else {
        run_.left->mtu = link->mtu;
        debug("unchanged, nothing to do");
    }
    if (left && !left->carrier) signals_.look_in(ActiveSignals::burst);
}

void Activation::connection_changed()
{
    if (busy_ || !run_.intent) return;
    auto intent = device_.intent();
    if (!intent) return;
    if (intent->skip) return run_.intent.reset();
    intent->features =
        std::move(run_.intent->features); // Reapply cannot change features (nm-device.c, can_reapply_change)
    run_.intent = std::move(intent);
    assumed_ = false; // NetworkManager now applies the profile itself
    run_.reapplied = true;
    run_.by_hand = false;
    signals_.look_in(reapply_takes);
}

void Activation::plan_and_apply(Moment moment, std::optional<std::uint64_t> epoch, const LinkRow *link)
{
    Situation situation{.assumed = assumed_};
    if (link) situation.mtu = link->mtu, situation.enhanced = !link->address.rc_capable();
    if (moment == Moment::carrier && run_.left)
        run_.by_hand |= link->mode != run_.left->mode ||
                        (link->mtu != run_.left->mtu && !mtu::follows_group(run_.left->mtu, link->mtu));
    if (run_.left) situation.before = run_.left->mtu;
    situation.by_hand = run_.by_hand;
    auto intent = narrowed(*run_.intent, moment, situation);
    intent.ifindex = device_.ifindex();
    if (!intent.ifindex) return debug("the interface does not exist");

    auto &probe = around_.probe.get();
    // The P_Key table explains a missing carrier. Reading is slow, and at this moment no program waits.
    const bool why = moment == Moment::carrier && !link->carrier;
    const auto depth = why ? Probe::Depth::with_pkeys : Probe::Depth::all;
    const auto outcome = probe.and_then(
        [&](auto &p) { return nmib::plan_and_apply(p, around_.state, intent, around_.policy(), depth); });
    if (!outcome) return unseen(outcome.error());
    report(*outcome, moment);
    if (moment == Moment::disconnected) return;
    run_.left = outcome->link;
    if (!run_.left) return;
    run_.carrier_epoch = carrier_epoch();
    if (run_.carrier_epoch != epoch) { // the carrier changed during the look: the values may be older or newer
        run_.carrier_epoch.reset();
        signals_.look_in(ActiveSignals::burst);
    }
    // NetworkManager may miss a short loss of the carrier, and then emits no signal when the carrier returns.
    if (!run_.left->carrier && device_.carrier() && run_.patience > 0) {
        run_.patience--;
        signals_.look_in(1000);
    }
    if (run_.unread) signals_.look_in(unread_again);
}

void Activation::report(const Outcome &outcome, Moment moment)
{
    const auto &done = outcome.applied.done;
    for (const auto &line : text(done, around_.policy())) around_.log(Severity::note, line, context());
    for (const auto &c : done) run_.switched |= std::holds_alternative<SetFeature>(c);
    for (const auto &e : outcome.applied.failures) say(Severity::error, e.what);
    run_.open = !outcome.plan.changes.empty();
    run_.unread = false;
    for (const auto &f : outcome.plan.findings) report(f, moment);
}

void Activation::report(const Finding &finding, Moment moment)
{
    if (finding.code == Code::quirk_unread)
        run_.unread = run_.open = true;
    else if (moment == Moment::disconnected)
        return;
    const auto line = text(finding);
    if (finding.code == Code::quirk_already && run_.switched)
        (void)logged_.first_time(finding.severity, line); // the plugin switched the feature itself, and has logged that
    else
        say(finding.severity, line);
}

void Activation::unseen(const Error &error)
{
    if (error.kind == Error::Kind::absent) return debug("the interface does not exist");
    say(Severity::warning, device_.name() + ": " + error.what);
    around_.probe.renew();
}

void Activation::say(Severity severity, const std::string &line)
{
    if (logged_.first_time(severity, line)) around_.log(severity, line, context());
}

void Activation::debug(const char *why)
{
    if (around_.policy().debug) around_.log(Severity::debug, device_.name() + ": skipped: " + why, context());
}

void Activation::look()
{
    if (!run_.intent) return;
    const auto epoch = carrier_epoch(); // read before the link, so that a later change causes another look
    if (run_.reapplied) {
        if (epoch == run_.carrier_epoch) return activated();
        signals_.look_in(ActiveSignals::burst); // first the carrier, then Reapply
    }
    const auto link = read_link();
    if (!link) return;
    // Enhanced IPoIB (no RC bit in the address) drops the carrier while the MTU changes (ipoib_main.c,
    // ipoib_change_mtu)
    auto &left = run_.left;
    const bool by_mtu = left && link->mtu != left->mtu && !link->address.rc_capable() && epoch && run_.carrier_epoch &&
                        *epoch == *run_.carrier_epoch + 2;
    if (link->carrier && by_mtu) run_.carrier_epoch = epoch;
    if (link->carrier && epoch == run_.carrier_epoch && !run_.unread) {
        if (left && left->mtu != link->mtu) left->mtu = link->mtu, run_.by_hand = true; // same epoch: no new group
        return debug("the carrier is unchanged");
    }
    if (link->carrier && is_as_left(*link)) {
        left->carrier = true;
        run_.carrier_epoch = epoch;
        return debug("the interface is unchanged");
    }
    plan_and_apply(Moment::carrier, epoch, &*link);
}

bool Activation::is_as_left(const LinkRow &link) const
{
    const auto &left = run_.left;
    return left && link.mtu == left->mtu && link.mode == left->mode && !run_.open && !run_.unread &&
           left->features.empty();
}

std::optional<std::uint64_t> Activation::carrier_epoch()
{
    const auto &probe = around_.probe.get();
    const auto name = IfName::parse(device_.name());
    return probe && name ? carrier_changes(probe->sysfs().root(), *name) : std::nullopt;
}

} // namespace nmib
