// SPDX-License-Identifier: GPL-2.0-or-later
#include "activation.hpp"

#include "abi.hpp"

#include <algorithm>
#include <utility>

namespace nmib
{

namespace
{

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
    case abi::unavailable:
    case abi::disconnected: assumed_ = reason == abi::connection_assumed; break;
    default: break;
    }
    if (now < abi::prepare || now >= abi::deactivating) signals_.stop();
    if (now < abi::prepare) run_.intent.reset();
    if (const auto i = device_.ifindex(); i && now >= abi::prepare) run_.last.ifindex = i;
}

void Activation::stop()
{
    restore_mode();
    signals_.stop();
    run_ = {};
}

void Activation::prepare()
{
    signals_.stop();
    run_ = {};
    if (auto uuid = device_.profile_uuid(); uuid != logged_for_) {
        logged_ = {};
        logged_for_ = std::move(uuid);
        script_mtu_.reset();
    }
    logged_.next();
    if (device_.hands_off()) return debug("the connection is external");
    run_.intent = device_.intent();
    if (!run_.intent) return debug("not an InfiniBand profile");
    run_.last.skipped = around_.configuration().may_be_opted_out(logged_for_);
    run_.last.limited_key = run_.intent->p_key && (*run_.intent->p_key & 0x8000) == 0;
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
        return nmib::plan_and_apply(p, around_.state, narrowed(*run_.intent, Moment::prepare), policy(),
                                    Probe::Depth::link, Use::ahead);
    });
    if (!outcome) return log_unread(outcome.error());
    for (const auto &e : outcome->applied.failures) log_once(Severity::error, e.what);
    for (const auto &f : outcome->plan.findings) {
        const bool is_impossible = f.kind == find_kind("connected-impossible");
        const bool overrides = is_impossible && f.severity != Severity::error;
        if (overrides && !override_mode(std::string(name(TransportMode::datagram)))) continue;
        // NetworkManager may fail the activation next, so this is the last moment to log.
        if (is_impossible || f.kind == find_kind("no-mode-file")) log_once(f.severity, text(f));
    }
}

bool Activation::override_mode(const std::string &word)
{
    run_.profile_mode = device_.mode();
    if (!run_.profile_mode || *run_.profile_mode == word || device_.set_mode(word)) return true;
    log_once(Severity::error, device_.name() +
                                  ": NetworkManager does not let the plugin override the mode: the "
                                  "activation fails in " +
                                  *run_.profile_mode + " mode");
    return false;
}

void Activation::restore_mode()
{
    if (run_.profile_mode) device_.set_mode(*run_.profile_mode);
    run_.profile_mode.reset();
}

void Activation::config()
{
    if (!run_.intent) return;
    if (opts_out_late()) return run_.intent.reset();
    plan_and_apply(Moment::config, carrier_epoch());
    run_.mtu_moved = false;
    listen();
}

std::optional<LinkRow> Activation::read_link()
{
    auto &probe = around_.probe.get();
    auto link = probe.and_then([&](auto &p) { return p.rtnl().link(device_.ifindex()); });
    if (link && link->name) return *link;
    if (!link) try_again(link.error());
    return std::nullopt;
}

void Activation::listen()
{
    if (!signals_.start()) return;
    log_once(Severity::warning,
             device_.name() + ": NetworkManager applied another version of the profile without a signal");
    connection_changed();
}

void Activation::activated()
{
    run_.last.active = true;
    if (!run_.intent) return;
    if (opts_out_late()) return run_.intent.reset();
    run_.patience = most_patience;
    run_.reapplied = false;
    listen();
    const auto epoch = carrier_epoch();
    const auto link = read_link();
    if (!link) return;
    const auto &left = run_.left;
    if (run_.first) detect_script_mtu(*link);
    run_.by_hand |= left && link->mode != left->mode;
    const bool granted = assumed_ || link->mtu >= run_.intent->mtu.value_or(0);
    // NetworkManager has applied the offloads of the profile, which override a quirk.
    const bool switched = left && (link->mode != left->mode || !left->features.empty());
    if (run_.open || !granted || !left || switched || !link->carrier) {
        plan_and_apply(Moment::activated, epoch, &*link);
    } else {
        run_.left->mtu = link->mtu;
        debug("unchanged, nothing to do");
    }
    if (run_.reapplied) return; // something could not be read
    run_.requested = run_.first = false;
    if (left && !left->carrier) signals_.look_in(ActiveSignals::burst);
}

void Activation::detect_script_mtu(const LinkRow &link)
{
    const auto asked = run_.intent->mtu.value_or(0);
    const bool clamped = link.mode == TransportMode::datagram && link.mtu < asked && mtu::is_group_limit(link.mtu);
    if (asked == 0 || link.mtu == asked || clamped) return script_mtu_.reset();
    // A script sets the same MTU in each activation, and in the next one this changes nothing.
    run_.by_hand = run_.mtu_moved || link.mtu == script_mtu_;
    script_mtu_ = run_.by_hand ? std::optional(link.mtu) : std::nullopt;
}

void Activation::connection_changed()
{
    if (!is_ours()) return;
    auto intent = device_.intent();
    if (!intent) return;
    run_.last.skipped = around_.configuration().may_be_opted_out(device_.profile_uuid());
    if (intent->skip) return run_.intent.reset();
    // A Reapply that changes neither MTU nor mode leaves what was changed by hand.
    const bool other = intent->mtu != run_.intent->mtu || intent->mode != run_.intent->mode;
    run_.requested |= assumed_ || other;
    if (other) run_.by_hand = run_.mtu_moved = false;
    run_.intent = std::move(intent);
    assumed_ = false; // NetworkManager now applies the profile itself
    run_.reapplied = true;
    signals_.look_in(reapply_takes);
}

void Activation::mtu_changed()
{
    if (!is_ours() || !run_.left || run_.mtu_moved) return;
    const auto link = read_link();
    run_.mtu_moved = !link || link->mtu != run_.left->mtu; // unknown: perhaps by a script
}

bool Activation::is_from_group(const LinkRow &link) const
{
    return link.mode == TransportMode::datagram && run_.left->mode == TransportMode::datagram &&
           mtu::follows_group(run_.left->mtu, link.mtu);
}

void Activation::plan_and_apply(Moment moment, std::optional<std::uint64_t> epoch, const LinkRow *link)
{
    Situation situation{.assumed = assumed_, .requested = run_.requested};
    // NetworkManager sets the offloads of the profile between CONFIG and ACTIVATED.
    const bool settled = run_.left && !run_.open; // otherwise CONFIG has not set those of the quirks
    situation.overridden = run_.overridden || (moment == Moment::activated && run_.first && settled);
    if (link) {
        situation.mtu = link->mtu;
        situation.mode = link->mode.value_or(situation.mode);
        situation.enhanced = !link->address.rc_capable();
    }
    // Before it has finished, NetworkManager changes the MTU itself.
    if (moment == Moment::carrier && run_.left && run_.last.active && !run_.reapplied)
        run_.by_hand |= link->mode != run_.left->mode || (link->mtu != run_.left->mtu && !is_from_group(*link));
    if (run_.left) situation.before = run_.left->mtu;
    situation.by_hand = run_.by_hand || (moment == Moment::activated && run_.mtu_moved) ||
                        (moment == Moment::carrier && !run_.last.active);
    auto intent = narrowed(*run_.intent, moment, situation);
    intent.ifindex = device_.ifindex();
    if (!intent.ifindex) return debug("the interface does not exist");

    auto &probe = around_.probe.get();
    const auto outcome =
        probe.and_then([&](auto &p) { return nmib::plan_and_apply(p, around_.state, intent, policy()); });
    if (!outcome) return try_again(outcome.error());
    report(*outcome);
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

void Activation::report(const Outcome &outcome)
{
    const auto &done = outcome.applied.done;
    for (const auto &line : text(done, policy())) around_.log(Severity::note, line, context());
    for (const auto &c : done) run_.switched |= std::holds_alternative<SetFeature>(c);
    for (const auto &e : outcome.applied.failures) log_once(Severity::error, e.what);
    run_.unread = !around_.configuration().known;
    run_.open = run_.unread || !outcome.plan.changes.empty();
    for (const auto &f : outcome.plan.findings) report(f);
}

void Activation::report(const Finding &finding)
{
    if (finding.kind == find_kind("quirk-unread")) run_.unread = run_.open = true;
    if (finding.kind == find_kind("quirk-refused")) run_.overridden = true;
    const auto line = text(finding);
    if (finding.kind == find_kind("quirk-already") && run_.switched)
        (void)logged_.first_time(finding.severity, line); // the plugin switched the feature itself, and has logged that
    else
        log_once(finding.severity, line);
}

void Activation::log_unread(const Error &error)
{
    if (error.kind == Error::Kind::absent) return debug("the interface does not exist");
    log_once(Severity::warning, device_.name() + ": " + error.what);
    around_.probe.renew();
}

void Activation::try_again(const Error &error)
{
    log_unread(error);
    if (error.kind == Error::Kind::absent) return;
    run_.unread = run_.open = true;
    run_.reapplied |= run_.last.active && run_.requested; // as after Reapply: the MTU is still to be requested
    signals_.look_in(unread_again);
}

void Activation::log_once(Severity severity, const std::string &line)
{
    if (logged_.first_time(severity, line)) around_.log(severity, line, context());
}

void Activation::debug(const char *why)
{
    if (policy().debug) around_.log(Severity::debug, device_.name() + ": skipped: " + why, context());
}

bool Activation::opts_out_late()
{
    if (!run_.last.skipped || !around_.configuration().known) return false;
    const auto intent = device_.intent();
    run_.last.skipped = around_.configuration().may_be_opted_out(device_.profile_uuid());
    return intent && intent->skip;
}

void Activation::look()
{
    if (!is_ours()) return;
    if (opts_out_late()) return run_.intent.reset();
    listen();
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
    if (link->carrier && by_mtu) {
        run_.carrier_epoch = epoch;
        if (run_.reapplied) return activated();
    }
    if (link->carrier && epoch == run_.carrier_epoch && !run_.unread) {
        const bool same = !left || (left->mtu == link->mtu && left->mode == link->mode);
        if (same || !run_.last.active) return debug("the carrier is unchanged");
        // A subnet manager that restarts makes new groups without a loss of the carrier (ipoib_ib.c,
        // IPOIB_FLUSH_LIGHT).
        if (!is_from_group(*link)) {
            left->mtu = link->mtu;
            left->mode = link->mode.value_or(left->mode);
            run_.by_hand = true;
            return debug("MTU or mode was changed by hand");
        }
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
    return left && link.mtu == left->mtu && link.mode == left->mode && !run_.open && left->features.empty();
}

std::optional<std::uint64_t> Activation::carrier_epoch()
{
    const auto &probe = around_.probe.get();
    const auto name = IfName::parse(device_.name());
    return probe && name ? carrier_changes(probe->sysfs().root(), *name) : std::nullopt;
}

} // namespace nmib
