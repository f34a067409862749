// SPDX-License-Identifier: GPL-2.0-or-later
#include "activation.hpp"

#include "abi.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
using Code = Finding::Code;
using Severity = Finding::Severity;

/// Not a mode: the kernel refuses it, NetworkManager's stage 1 fails, and no address is ever set. A failure that is
/// queued (nm_device_queue_state) would carry a better reason, but every next state drops it, and there are three in
/// one go.
constexpr const char *no_mode = "refused by nm-ib";

/// How often a carrier is looked for, once a second, that NetworkManager believes to be there.
constexpr unsigned most_patience = 30;

/// Milliseconds after which is read again what a quirk depends on and what could not be read: for as long as it takes.
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
        // NetworkManager gives back the offloads a profile had set; broken silicon stays off.
        if (run_.wish) settle(Moment::disconnected, {});
        break;
    default: break;
    }
    if (now < abi::prepare || now >= abi::deactivating) signals_.stop();
    if (now < abi::prepare) run_.wish.reset();
    if (const auto i = device_.ifindex(); i && now >= abi::prepare) run_.last.ifindex = i;
}

void Activation::prepare()
{
    signals_.stop();
    run_ = {};
    if (auto uuid = device_.profile_uuid(); uuid != told_of_) {
        told_ = {};
        told_of_ = std::move(uuid);
    }
    told_.next();
    if (device_.hands_off()) return debug("NetworkManager only shows it");
    run_.wish = device_.intent();
    if (!run_.wish) return debug("its profile is none of InfiniBand");
    run_.last.skipped = run_.wish->skip;
    run_.last.limited_key = run_.wish->p_key && (*run_.wish->p_key & 0x8000) == 0 && !run_.wish->skip;
    if (run_.wish->skip) {
        run_.wish.reset();
        return debug("its profile opted out");
    }
    if (assumed_) return debug("taken over from an earlier daemon, its mode is left");
    decide_mode();
}

void Activation::decide_mode()
{
    auto &probe = around_.probe.get();
    const auto outcome = probe ? nmib::settle(*probe, around_.state, narrowed(*run_.wish, Moment::prepare),
                                              around_.policy(), Probe::Depth::link, Use::ahead)
                               : Result<Outcome>(probe.error());
    if (!outcome) return unseen(outcome.error());
    for (const auto &e : outcome->applied.failures) say(Severity::error, e.what);
    if (const auto &why = outcome->plan.refusal) {
        say(why->severity, text(*why));
        return override_mode(no_mode);
    }
    bool impossible = false;
    for (const auto &f : outcome->plan.findings) {
        impossible = impossible || f.code == Code::connected_impossible;
        // NetworkManager goes on to fail without the file: what is not said now is never said.
        if (f.code == Code::connected_impossible || f.code == Code::no_mode_file) say(f.severity, text(f));
    }
    if (!impossible) return;
    override_mode(std::string(name(TransportMode::datagram)));
    run_.wish->mode = TransportMode::datagram;
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
    if (!run_.wish) return;
    settle(Moment::config, carrier_epoch());
    signals_.start();
}

void Activation::activated()
{
    if (!run_.wish) return;
    run_.patience = most_patience;
    signals_.start();
    // Since CONFIG, NetworkManager has set the MTU once more, and the broadcast group may have lowered it.
    const auto epoch = carrier_epoch();
    auto &probe = around_.probe.get();
    const auto link = probe ? probe->rtnl().link(device_.ifindex()) : Result<LinkRow>(probe.error());
    const auto &left = run_.left;
    const bool as_left = link && left && link->mtu == left->mtu && link->mode == left->mode;
    if (run_.open || !as_left || !link->carrier)
        settle(Moment::activated, epoch);
    else
        debug("as it was left, nothing to do");
    if (left && !left->carrier) signals_.look_in(ActiveSignals::burst);
}

void Activation::connection_changed()
{
    if (busy_ || !run_.wish) return;
    const auto now = device_.mtu();
    if (!now) return;
    const auto before = run_.wish->mtu;
    // `nmcli device modify` sends back what it read, our edit included: that is no new wish.
    if (now == run_.edited_mtu) {
        read_wish();
    } else {
        run_.wish->mtu = now;
        run_.edited_mtu.reset();
    }
    settle(Moment::reapply, carrier_epoch(), {.mtu_is_new = run_.wish->mtu != before});
}

void Activation::settle(Moment moment, std::optional<std::uint64_t> epoch, Situation situation)
{
    situation.assumed = assumed_;
    auto intent = narrowed(*run_.wish, moment, situation);
    intent.ifindex = device_.ifindex();
    if (!intent.ifindex) return debug("there is no interface");

    auto &probe = around_.probe.get();
    // The P_Key table says why there is no carrier, once nothing waits for us any more.
    const auto depth = situation.carrier ? Probe::Depth::all : Probe::Depth::with_pkeys;
    const auto outcome =
        probe ? nmib::settle(*probe, around_.state, intent, around_.policy(), depth) : Result<Outcome>(probe.error());
    if (!outcome) return unseen(outcome.error());
    report(*outcome, moment);
    if (moment == Moment::disconnected) return;
    run_.left = outcome->link;
    if (!run_.left) return;
    if (intent.mtu) edit_mtu(run_.left->mtu);
    run_.carrier_epoch = carrier_epoch();
    if (run_.carrier_epoch != epoch) { // it came or went meanwhile: what was read is of either
        run_.carrier_epoch.reset();
        signals_.look_in(ActiveSignals::burst);
    }
    // NetworkManager may have missed that the carrier was gone for a moment, and then says nothing when it comes back.
    if (!run_.left->carrier && device_.carrier() && run_.patience > 0) {
        run_.patience--;
        signals_.look_in(1000);
    }
    if (run_.unread) signals_.look_in(unread_again);
}

void Activation::edit_mtu(Mtu effective)
{
    const Mtu asked = run_.wish->mtu.value_or(0);
    const auto now = device_.mtu();
    if (!now || asked == 0) return;
    const Mtu value = std::min(asked, effective);
    run_.edited_mtu = value == asked ? std::nullopt : std::optional(value);
    if (now == value) return;
    busy_ = true;
    device_.set_mtu(value);
    busy_ = false;
}

void Activation::read_wish()
{
    if (!run_.edited_mtu) return;
    if (const auto stored = device_.stored_mtu()) run_.wish->mtu = stored;
}

void Activation::report(const Outcome &outcome, Moment moment)
{
    auto done = outcome.applied.done;
    // NetworkManager is about to set that MTU itself.
    if (moment != Moment::carrier)
        std::erase_if(done, [&](const Change &c) {
            const auto *m = std::get_if<SetMtu>(&c);
            return m && m->at_most == run_.wish->mtu;
        });
    for (const auto &line : text(done, around_.policy())) around_.log(Severity::info, line, context());
    for (const auto &c : done) run_.switched |= std::holds_alternative<SetFeature>(c);
    for (const auto &e : outcome.applied.failures) say(Severity::error, e.what);
    run_.open = !outcome.plan.changes.empty();
    run_.unread = false;
    if (outcome.plan.refusal && moment != Moment::disconnected)
        say(outcome.plan.refusal->severity, text(*outcome.plan.refusal));
    for (const auto &f : outcome.plan.findings) report(f, moment);
}

void Activation::report(const Finding &finding, Moment moment)
{
    if (finding.code == Code::quirk_unread)
        run_.unread = run_.open = true;
    else if (moment == Moment::disconnected)
        return;
    const bool about_mtu = finding.code == Code::mtu_limited || finding.code == Code::mtu_unknown;
    if (about_mtu && moment == Moment::config) {
        run_.open = true; // the link has only just come up
        return;
    }
    const auto line = text(finding);
    if (finding.code == Code::quirk_already && run_.switched)
        (void)told_.first_time(finding.severity, line); // it was switched by us, which is told
    else
        say(finding.severity, line);
}

void Activation::unseen(const Error &error)
{
    if (error.kind == Error::Kind::absent) return debug("there is no interface");
    say(Severity::warning, device_.name() + ": " + error.what);
    around_.probe.renew();
}

void Activation::say(Severity severity, const std::string &line)
{
    if (told_.first_time(severity, line)) around_.log(severity, line, context());
}

void Activation::debug(const char *why)
{
    if (around_.policy().debug) around_.log(Severity::debug, device_.name() + ": left alone: " + why, context());
}

void Activation::look()
{
    if (!run_.wish) return;
    const auto epoch = carrier_epoch(); // before the link is read: a carrier that comes behind is looked at again
    auto &probe = around_.probe.get();
    const auto link = probe ? probe->rtnl().link(device_.ifindex()) : Result<LinkRow>(probe.error());
    if (!link && link.error().kind != Error::Kind::absent) around_.probe.renew();
    if (!link || !link->name) return;
    // An MTU that changed under the same carrier was changed by somebody: it is theirs. Enhanced IPoIB, whose address
    // is without the RC bit, changes it with the carrier off for a moment (ipoib_main.c, ipoib_change_mtu).
    auto &left = run_.left;
    const bool by_mtu = left && link->mtu != left->mtu && !link->address.rc_capable() && epoch && run_.carrier_epoch &&
                        *epoch == *run_.carrier_epoch + 2;
    if (link->carrier && by_mtu) {
        left->mtu = link->mtu;
        run_.carrier_epoch = epoch;
    }
    if (link->carrier && epoch == run_.carrier_epoch && !run_.unread) return debug("its carrier is as it was");
    if (link->carrier && is_as_asked(*link)) {
        left->carrier = true;
        run_.carrier_epoch = epoch;
        return debug("it is as it was left, and as asked");
    }
    read_wish();
    settle(Moment::carrier, epoch, {.carrier = link->carrier});
}

bool Activation::is_as_asked(const LinkRow &link) const
{
    const auto &left = run_.left;
    const Mtu asked = run_.wish->mtu.value_or(0);
    return left && link.mtu == left->mtu && link.mode == left->mode && (asked == 0 || asked == link.mtu) &&
           !run_.edited_mtu && !run_.open && !run_.unread && left->features.empty();
}

std::optional<std::uint64_t> Activation::carrier_epoch()
{
    const auto &probe = around_.probe.get();
    const auto name = IfName::parse(device_.name());
    return probe && name ? carrier_changes(probe->sysfs().root(), *name) : std::nullopt;
}

} // namespace nmib
