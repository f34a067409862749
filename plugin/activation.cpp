// SPDX-License-Identifier: GPL-2.0-or-later
#include "activation.hpp"

#include "apply/mode.hpp"
#include "apply/state.hpp"
#include "daemon_probe.hpp"
#include "leftover.hpp"
#include "log.hpp"
#include "policy.hpp"

#include "config.h"

#include <algorithm>
#include <net/if.h>

namespace nmib
{

namespace
{
using Code = Finding::Code;
using Severity = Finding::Severity;

/// Not a mode: the kernel refuses it, NetworkManager's stage 1 fails, and no address is ever set.
constexpr const char *no_mode = "refused by nm-ib";

/// How often a carrier is looked for, once a second, that NetworkManager believes to be there.
constexpr unsigned most_patience = 30;
} // namespace

Activation &Activation::of(NMDevice *device)
{
    static const GQuark key = g_quark_from_static_string("nm-ib-activation");
    auto *object = reinterpret_cast<GObject *>(device);
    if (auto *known = static_cast<Activation *>(g_object_get_qdata(object, key))) return *known;
    auto *made = new Activation(device);
    g_object_set_qdata_full(object, key, made, [](gpointer a) { delete static_cast<Activation *>(a); });
    return *made;
}

void Activation::state(guint now, guint before, guint reason)
{
    restore_mode();
    if (const auto i = device_.ifindex(); i && now >= abi::prepare) ifindex_ = i;
    switch (now) {
    case abi::prepare: prepare(); break;
    case abi::config: config(); break;
    case abi::activated: activated(); break;
    case abi::unavailable: assumed_ = reason == abi::connection_assumed; break;
    case abi::disconnected:
        assumed_ = reason == abi::connection_assumed;
        if (before >= abi::prepare) disconnected();
        break;
    case abi::unmanaged:
        // What nm_device_unrealize() ends with: NetworkManager has deleted the interface, or believes so.
        if (limited_key_ && reason == abi::user_requested && ifindex_ && device_.ifindex() == 0)
            delete_if_left_now(ifindex_);
        forget_if_gone();
        ifindex_ = 0;
        break;
    default: break;
    }
    if (now < abi::prepare || now >= abi::deactivating) signals_.stop();
    if (now < abi::prepare) wish_.reset();
}

void Activation::forget_if_gone()
{
    char name[IF_NAMESIZE];
    const bool is_gone = ifindex_ && !if_indextoname(static_cast<unsigned>(ifindex_), name);
    const bool goes = ifindex_ && device_.ifindex() == 0; // the kernel may take a while
    if (is_gone || goes) drop_state(NMIB_STATE, state_mtu, ifindex_);
    if (!is_gone) return;
    gone(ifindex_);
}

void Activation::prepare()
{
    signals_.stop();
    said_.clear();
    patience_ = 0;
    edited_mtu_.reset();
    switched_ = open_ = false;
    left_.reset();
    wish_ = device_.hands_off() ? std::nullopt : device_.intent();
    skipped_ = wish_ && wish_->skip;
    if (skipped_) wish_.reset();
    limited_key_ = wish_ && wish_->p_key && (*wish_->p_key & 0x8000) == 0;
    if (!wish_ || assumed_) return;
    const auto &policy = current_policy();
    auto &probe = daemon_probe();
    auto facts = probe ? probe->around(wish_->ifindex, policy, Probe::Depth::link) : Result<Facts>(probe.error());
    if (facts)
        decide_mode(*probe, *facts, policy);
    else if (facts.error().kind != Error::Kind::absent)
        unseen(facts.error());
}

void Activation::decide_mode(Probe &probe, Facts &facts, const Policy &policy)
{
    auto plan = nmib::plan(facts, narrowed(*wish_, Moment::prepare), policy);
    const auto *change = plan.changes.empty() ? nullptr : std::get_if<SetMode>(&plan.changes.front());
    if (change && change->mode == TransportMode::connected &&
        connected_is_tried(facts, *facts.find(change->ifindex), policy)) {
        const auto tried =
            set_mode_before_use(probe.sysfs(), probe.rtnl(), change->link, change->ifindex, change->mode);
        if (!tried && tried.error().kind == Error::Kind::refused) {
            facts.find(wish_->ifindex)->connected_refused = true;
            plan = nmib::plan(facts, narrowed(*wish_, Moment::prepare), policy);
        }
    }
    if (plan.refusal) {
        say(plan.refusal->severity, text(*plan.refusal));
        override_mode(no_mode);
        return;
    }
    bool impossible = false;
    for (const auto &f : plan.findings) {
        impossible = impossible || f.code == Code::connected_impossible;
        // NetworkManager goes on to fail without the file: what is not said now is never said.
        if (f.code == Code::connected_impossible || f.code == Code::no_mode_file) say(f.severity, text(f));
    }
    if (!impossible) return;
    override_mode(std::string(name(TransportMode::datagram)));
    wish_->mode = TransportMode::datagram;
}

void Activation::override_mode(const std::string &word)
{
    auto now = device_.mode();
    busy_ = true;
    if (now && *now != word && device_.set_mode(word)) profile_mode_ = std::move(now);
    busy_ = false;
}

void Activation::restore_mode()
{
    if (!profile_mode_) return;
    busy_ = true;
    device_.set_mode(*profile_mode_);
    busy_ = false;
    profile_mode_.reset();
}

void Activation::config()
{
    if (!wish_) return;
    settle(Moment::config, carrier_epoch());
    signals_.start();
}

void Activation::activated()
{
    if (!wish_) return;
    patience_ = most_patience;
    signals_.start();
    // Since CONFIG, NetworkManager has set the MTU once more, and the broadcast group may have lowered it.
    const auto epoch = carrier_epoch();
    auto &probe = daemon_probe();
    const auto link = probe ? probe->rtnl().link(device_.ifindex()) : Result<LinkRow>(probe.error());
    const bool as_left = link && left_ && link->mtu == left_->mtu && link->mode == left_->mode;
    if (open_ || !as_left || !link->carrier) settle(Moment::activated, epoch);
    if (left_ && !left_->carrier) signals_.look_in(DeviceSignals::burst);
}

void Activation::disconnected()
{
    // NetworkManager gives back the offloads a profile had set; broken silicon stays off.
    if (wish_) settle(Moment::disconnected, {});
    if (ifindex_ && !skipped_) delete_if_left(device_.get(), ifindex_);
}

void Activation::connection_changed()
{
    if (busy_ || !wish_) return;
    const auto now = device_.mtu();
    if (!now) return;
    const auto before = wish_->mtu;
    // `nmcli device modify` sends back what it read, our edit included: that is no new wish.
    if (now == edited_mtu_) {
        read_wish();
    } else {
        wish_->mtu = now;
        edited_mtu_.reset();
    }
    settle(Moment::reapply, carrier_epoch(), {.mtu_is_new = wish_->mtu != before});
}

void Activation::settle(Moment moment, std::optional<std::uint64_t> epoch, Situation situation)
{
    const auto &policy = current_policy();
    situation.assumed = assumed_;
    auto intent = narrowed(*wish_, moment, situation);
    intent.ifindex = device_.ifindex();
    if (!intent.ifindex) return;

    auto &probe = daemon_probe();
    // The P_Key table says why there is no carrier, once nothing waits for us any more.
    const auto depth = situation.carrier ? Probe::Depth::all : Probe::Depth::with_pkeys;
    const auto outcome =
        probe ? nmib::settle(*probe, NMIB_STATE, intent, policy, depth) : Result<Outcome>(probe.error());
    if (!outcome) {
        if (outcome.error().kind != Error::Kind::absent) unseen(outcome.error());
        return;
    }
    report(*outcome, policy, moment);
    if (moment == Moment::disconnected) return;
    left_ = outcome->link;
    if (!left_) return;
    if (intent.mtu) edit_mtu(left_->mtu);
    carrier_epoch_ = carrier_epoch();
    if (carrier_epoch_ != epoch) { // it came or went meanwhile: what was read is of either
        carrier_epoch_.reset();
        signals_.look_in(DeviceSignals::burst);
    }
    // NetworkManager may have missed that the carrier was gone for a moment, and then says nothing when it comes back.
    if (!left_->carrier && device_.carrier() && patience_ > 0) {
        patience_--;
        signals_.look_in(1000);
    }
}

void Activation::edit_mtu(Mtu effective)
{
    const Mtu asked = wish_->mtu.value_or(0);
    const auto now = device_.mtu();
    if (!now || asked == 0) return;
    const Mtu value = std::min(asked, effective);
    edited_mtu_ = value == asked ? std::nullopt : std::optional(value);
    if (now == value) return;
    busy_ = true;
    device_.set_mtu(value);
    busy_ = false;
}

void Activation::read_wish()
{
    if (!edited_mtu_) return;
    if (const auto stored = device_.stored_mtu()) wish_->mtu = stored;
}

void Activation::report(const Outcome &outcome, const Policy &policy, Moment moment)
{
    auto done = outcome.applied.done;
    // NetworkManager is about to set that MTU itself.
    if (moment != Moment::carrier)
        std::erase_if(done, [&](const Change &c) {
            const auto *m = std::get_if<SetMtu>(&c);
            return m && m->at_most == wish_->mtu;
        });
    for (const auto &line : text(done, policy)) log(Severity::info, line, context());
    for (const auto &c : done) switched_ |= std::holds_alternative<SetFeature>(c);
    for (const auto &e : outcome.applied.failures) say(Severity::error, e.what);
    if (moment == Moment::disconnected) return;
    open_ = !outcome.plan.changes.empty();
    if (outcome.plan.refusal) say(outcome.plan.refusal->severity, text(*outcome.plan.refusal));
    for (const auto &f : outcome.plan.findings) {
        const bool about_mtu = f.code == Code::mtu_limited || f.code == Code::mtu_unknown;
        if (about_mtu && moment == Moment::config) {
            open_ = true; // the link has only just come up
            continue;
        }
        if (f.code == Code::quirk_already && switched_) continue; // by us, and said
        const bool standing = f.code == Code::quirk_already || f.code == Code::quirk_kernel;
        if (auto line = text(f); !standing || standing_.insert(line).second) say(f.severity, line);
    }
}

void Activation::unseen(const Error &error)
{
    say(Severity::warning, device_.name() + ": " + error.what);
    renew_probe();
}

void Activation::say(Severity severity, const std::string &line)
{
    if (said_.insert(line).second) log(severity, line, context());
}

LogContext Activation::context() const { return {device_.name(), device_.profile_uuid()}; }

void Activation::look()
{
    if (!wish_) return;
    const auto epoch = carrier_epoch(); // before the link is read: a carrier that comes behind is looked at again
    auto &probe = daemon_probe();
    const auto link = probe ? probe->rtnl().link(device_.ifindex()) : Result<LinkRow>(probe.error());
    if (!link && link.error().kind != Error::Kind::absent) renew_probe();
    if (!link || !link->name) return;
    // An MTU that changed under the same carrier was changed by somebody: it is theirs. Enhanced IPoIB, whose address
    // is without the RC bit, changes it with the carrier off for a moment (ipoib_main.c, ipoib_change_mtu).
    const bool by_mtu = left_ && link->mtu != left_->mtu && !link->address.rc_capable() && epoch && carrier_epoch_ &&
                        *epoch == *carrier_epoch_ + 2;
    if (link->carrier && by_mtu) {
        left_->mtu = link->mtu;
        carrier_epoch_ = epoch;
    }
    if (link->carrier && epoch == carrier_epoch_) return;
    read_wish();
    settle(Moment::carrier, epoch, {.carrier = link->carrier});
}

std::optional<std::uint64_t> Activation::carrier_epoch() const
{
    const auto &probe = daemon_probe();
    const auto name = IfName::parse(device_.name());
    return probe && name ? carrier_changes(probe->sysfs().root(), *name) : std::nullopt;
}

} // namespace nmib
