// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fake_daemon.hpp"

#include "abi.hpp"

#include <algorithm>

namespace nmib::test
{

std::optional<Intent> FakeDevice::intent() const
{
    if (!applied) return std::nullopt;
    auto intent = applied->asks;
    intent.ifindex = ifindex();
    intent.ipv6_mtu = applied->ip6_mtu;
    intent.mode = parse_mode(word);
    for (const auto &[feature, on] : applied->features) intent.features.push_back({feature, on});
    return intent;
}

void FakeDevice::changed() const
{
    if (listening) listener->connection_changed();
}

bool FakeDevice::set_mode(const std::string &w)
{
    if (applies_stored) return false;
    word = w;
    changed();
    return true;
}

void FakeDevice::set_mtu(Mtu mtu)
{
    applied->asks.mtu = mtu;
    changed();
}

FakeDaemon::FakeDaemon(FakeKernel &kernel, int ifindex, const Policy &policy, bool has_plugin) :
    device(ifindex, kernel.model().facts().find(ifindex)->name.str()), configuration{.known = true, .policy = policy},
    kernel_(kernel), around_{kernel.tree.path("run"),
                             DaemonProbe({kernel.tree.path(), kernel.tree.path("run"),
                                          kernel.tree.path("devices-of-nm"), kernel.tree.path("proc")}),
                             [this]() -> const Configuration & {
                                 configuration.opted_out.clear();
                                 if (device.applied && device.applied->asks.skip)
                                     configuration.opted_out.insert(device.applied->uuid);
                                 return configuration;
                             },
                             [this](auto severity, auto &line, auto &) { lines.emplace_back(severity, line); }},
    has_plugin_(has_plugin)
{
    kernel_.show_files();
    forget();
}

void FakeDaemon::forget()
{
    device.stop();
    if (!has_plugin_) return;
    activation_ = std::make_unique<Activation>(device, device, around_);
    device.listener = activation_.get();
}

void FakeDaemon::state(unsigned now, unsigned reason)
{
    if (activation_) activation_->state(now, reason);
}

const Link &FakeDaemon::link() { return *std::as_const(kernel_.model()).facts().find(device.ifindex()); }

bool FakeDaemon::activate(const FakeProfile &profile, bool assumed)
{
    deactivate(assumed);
    device.applied = stored_ = profile;
    device.word = profile.asks.mode ? std::string(name(*profile.asks.mode)) : "";
    daemon_.assumed = assumed;
    daemon_.active = prepare();
    if (!daemon_.active) {
        state(abi::failed);
        deactivate();
        return false;
    }
    notice();
    state(abi::config);
    set_features(); // activate_stage2_device_config, after the state
    commit_mtu();   // activate_stage3_ip_config
    if (daemon_.waits_for_carrier) {
        device.believed_carrier = true;
        heard();
        const auto before = link().mtu;
        carrier_comes();
        daemon_.carrier_changed_mtu = link().mtu != before;
    }
    if (profile.script_mtu && !assumed) run_script();
    state(abi::activated);
    notice();
    return true;
}

/// act_stage1_prepare of nm-device-infiniband.c writes the mode even if the interface already has the mode.
bool FakeDaemon::prepare()
{
    state(abi::prepare);
    if (device.applied->external || daemon_.assumed || device.word.empty()) return true;
    const auto mode = parse_mode(device.word);
    if (!mode || (refuses_ && *mode != link().mode)) return false;
    const bool carrier = link().carrier;
    const bool good = change([&](auto &model, int i) { return model.restart(i, mode); });
    daemon_.waits_for_carrier = good && carrier && device.applied->carrier_is_late;
    if (daemon_.waits_for_carrier)
        device.believed_carrier = false;
    else if (carrier)
        carrier_comes();
    return good;
}

void FakeDaemon::carrier_comes()
{
    change([](auto &model, int i) { return model.join(i), true; });
    notice();
}

void FakeDaemon::refuse_modes()
{
    refuses_ = true;
    const auto file = "class/net/" + device.name() + "/mode";
    kernel_.tree.remove(file);
    kernel_.tree.dir(file); // every write fails
}

/// _ethtool_features_set, also if the activation is assumed
void FakeDaemon::set_features()
{
    if (device.applied->external || device.applied->features.empty()) return;
    daemon_.features_before = link().features;
    for (const auto &[feature, on] : device.applied->features)
        change([&, name = feature, value = on](auto &model, int i) { return model.set_feature(i, name, value); });
}

/// _commit_mtu: only a source above the one of before writes the MTU, so that an MTU by hand stays; Reapply resets the
/// source.
void FakeDaemon::commit_mtu()
{
    const auto &profile = *device.applied;
    if (profile.external || daemon_.assumed) return;
    Mtu wanted = daemon_.mtu_is_from_profile ? 0 : profile.asks.mtu.value_or(0);
    const bool from_profile = wanted != 0;
    if (wanted) wanted = std::max(wanted, mtu::ipv6_minimum); // every profile here has IPv6
    Mtu ip6 = profile.ip6_mtu ? profile.ip6_mtu : daemon_.advertised;
    if (!ip6 && !daemon_.mtu_is_from_profile) ip6 = wanted;
    if (!ip6 && !wanted) return;
    const auto now = link().mtu;
    if (!wanted) wanted = std::max(now, mtu::ipv6_minimum);
    if (ip6) ip6 = std::min(std::max(ip6, mtu::ipv6_minimum), wanted);

    std::optional<Mtu> read; // _IP6_MTU_SYS reads once, perhaps before the MTU is written
    const auto ip6_now = [&] { return read ? *read : read.emplace(ip6_mtu()); };
    bool good = true;
    if (wanted != now || (ip6 && ip6 != ip6_now())) {
        if (!daemon_.mtu_initial && !daemon_.ip6_initial) {
            daemon_.mtu_initial = now;
            daemon_.ip6_initial = ip6_now();
        }
        if (wanted != now) good = change([&](auto &model, int i) { return model.set_mtu(i, wanted); });
        if (ip6 && ip6 != ip6_now()) good &= change([&](auto &model, int i) { return model.set_ip6_mtu(i, ip6); });
    }
    if (good && from_profile) daemon_.mtu_is_from_profile = true;
    notice();
}

void FakeDaemon::run_script()
{
    if (device.applied->script_is_late) wait();
    const auto before = link().mtu;
    set_mtu(*device.applied->script_mtu);
    daemon_.script_changed_mtu = link().mtu != before;
    if (device.applied->script_is_slow) wait();
}

void FakeDaemon::deactivate(bool assumed)
{
    if (daemon_.active) state(abi::deactivating);
    if (device.applied && !device.applied->external) clean_up(); // _set_state_full, before the signal
    daemon_ = {};
    state(abi::disconnected, assumed ? abi::connection_assumed : 0U);
    device.applied.reset();
}

/// _set_state_full, DISCONNECTED: _dev_addrgenmode6_set bounces IPv6; then nm_device_cleanup, CLEANUP_TYPE_DECONFIGURE
void FakeDaemon::clean_up()
{
    change([](auto &model, int i) { return model.restart_ip6(i), true; });
    if (daemon_.mtu_initial) change([&](auto &model, int i) { return model.set_mtu(i, daemon_.mtu_initial); });
    if (daemon_.ip6_initial) change([&](auto &model, int i) { return model.set_ip6_mtu(i, daemon_.ip6_initial); });
    for (const auto &f : daemon_.features_before)
        for (const auto &[feature, on] : device.applied->features)
            if (f.name == feature)
                change([&, name = feature](auto &model, int i) { return model.set_feature(i, name, f.requested); });
}

/// check_and_reapply_connection: "Allow reapply of MTU", whatever the change is
void FakeDaemon::reapply(Mtu mtu)
{
    if (device.applied->asks.mtu != mtu) device.set_mtu(mtu); // otherwise no change, no signal
    daemon_.assumed = daemon_.mtu_is_from_profile = false;
    commit_mtu();
}

void FakeDaemon::touch()
{
    device.changed();
    daemon_.assumed = daemon_.mtu_is_from_profile = false;
    commit_mtu();
}

void FakeDaemon::restart()
{
    const bool takes_over = device.applied.has_value();
    daemon_ = {}; // CLEANUP_TYPE_KEEP
    device.applied.reset();
    forget();
    if (takes_over) activate(FakeProfile(stored_), /*assumed=*/true);
}

void FakeDaemon::advertise(Mtu mtu)
{
    daemon_.advertised = mtu;
    commit_mtu();
}

void FakeDaemon::heard()
{
    if (device.listening) device.timer = true;
}

void FakeDaemon::notice()
{
    const auto now = link().mtu;
    if (now != noticed_mtu_) heard();
    noticed_mtu_ = now;
}

void FakeDaemon::lose_carrier()
{
    if (!link().carrier) return;
    change([](auto &model, int i) { return model.lose_carrier(i), true; });
    heard();
}

void FakeDaemon::join(Mtu group)
{
    lose_carrier();
    rejoin(group);
}

void FakeDaemon::rejoin(Mtu group)
{
    const bool carrier = link().carrier;
    change([=](auto &model, int i) { return model.join(i, group), true; });
    if (!carrier) heard(); // notify::carrier
    notice();
}

void FakeDaemon::set_mtu(Mtu mtu)
{
    change([=](auto &model, int i) { return model.set_mtu(i, mtu); });
    notice();
}

void FakeDaemon::set_mode(TransportMode mode)
{
    change([=](auto &model, int i) { return model.set_mode(i, mode); });
    notice();
}

void FakeDaemon::set_ip6_mtu(Mtu mtu)
{
    change([=](auto &model, int i) { return model.set_ip6_mtu(i, mtu); });
}

void FakeDaemon::wait()
{
    for (unsigned i = 0; i < 32 && device.timer; i++) {
        device.timer = false;
        if (activation_) activation_->look();
        notice();
    }
}

void FakeDaemon::copy(FakeDaemon &other)
{
    kernel_.change([&](auto &model) { return model = other.kernel_.model(), true; });
    daemon_ = other.daemon_;
    device.applied = other.device.applied;
    device.word = other.device.word;
    stored_ = other.stored_;
}

} // namespace nmib::test
