// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fake_daemon.hpp"

#include "abi.hpp"
#include "core/base/text.hpp"

namespace nmib::test
{

std::optional<Intent> FakeDevice::intent() const
{
    if (!applied) return std::nullopt;
    auto intent = applied->asks;
    intent.ifindex = ifindex();
    intent.mode = parse_mode(word);
    return intent;
}

void FakeDevice::changed() const
{
    if (listening) listener->connection_changed();
}

bool FakeDevice::set_mode(const std::string &w)
{
    word = w;
    changed();
    return true;
}

void FakeDevice::set_mtu(Mtu mtu)
{
    applied->asks.mtu = mtu;
    changed();
}

FakeDaemon::FakeDaemon(FakeKernel &kernel, int ifindex, Policy &policy) :
    device(ifindex, kernel.model().facts().find(ifindex)->name.str()),
    kernel_(kernel), around_{
                         kernel.tree.path("run"),
                         DaemonProbe({kernel.tree.path(), kernel.tree.path("run"), kernel.tree.path("devices-of-nm")}),
                         [&policy]() -> const Policy & { return policy; },
                         [this](auto severity, auto &line, auto &) { lines.emplace_back(severity, line); }}
{
    forget();
}

void FakeDaemon::forget()
{
    activation_ = std::make_unique<Activation>(device, device, around_);
    device.listener = activation_.get();
}

const Link &FakeDaemon::link() { return *std::as_const(kernel_.model()).facts().find(device.ifindex()); }

bool FakeDaemon::activate(const FakeProfile &profile, bool assumed)
{
    deactivate(assumed);
    device.applied = profile;
    device.word = profile.asks.mode ? std::string(name(*profile.asks.mode)) : "";
    active_ = prepare(assumed);
    if (!active_) {
        activation_->state(abi::failed, 0);
        deactivate();
        return false;
    }
    activation_->state(abi::config, 0);
    if (const auto mtu = profile.asks.mtu; mtu && *mtu != 0 && !profile.external && !assumed)
        (void)kernel_.model().set_mtu(device.ifindex(), *mtu);
    activation_->state(abi::activated, 0);
    return true;
}

/// Stage 1 writes the mode even if the interface already has the mode.
bool FakeDaemon::prepare(bool assumed)
{
    activation_->state(abi::prepare, 0);
    if (device.applied->external || assumed) return true;
    if (!device.word.empty()) {
        const auto mode = parse_mode(device.word);
        if (!mode || (refuses_ && *mode != link().mode) || !kernel_.model().set_mode(device.ifindex(), *mode))
            return false;
        if (!refuses_) kernel_.tree.file(mode_file(), device.word + "\n");
    }
    return true;
}

void FakeDaemon::refuse_modes()
{
    refuses_ = true;
    kernel_.tree.remove(mode_file());
    kernel_.tree.dir(mode_file()); // every write fails
}

void FakeDaemon::deactivate(bool assumed)
{
    if (active_) activation_->state(abi::deactivating, 0);
    active_ = false;
    activation_->state(abi::disconnected, assumed ? abi::connection_assumed : 0U);
    device.applied.reset();
}

void FakeDaemon::reapply(Mtu mtu)
{
    if (device.applied->asks.mtu == mtu) return; // no change, no signal
    device.set_mtu(mtu);
    if (mtu != 0) (void)kernel_.model().set_mtu(device.ifindex(), mtu);
}

void FakeDaemon::touch() { device.set_mtu(*device.applied->asks.mtu); }

void FakeDaemon::count_carrier()
{
    const auto file = "class/net/" + device.name() + "/carrier_changes";
    kernel_.tree.file(file, std::to_string(*parse_decimal(trim(kernel_.tree.content(file)), 1000000) + 1) + "\n");
    heard();
}

void FakeDaemon::heard()
{
    if (device.listening) device.timer = true;
}

void FakeDaemon::lose_carrier()
{
    if (!link().carrier) return;
    kernel_.model().lose_carrier(device.ifindex());
    count_carrier();
}

void FakeDaemon::join(Mtu group)
{
    if (link().carrier) lose_carrier();
    kernel_.model().join(device.ifindex(), group);
    count_carrier();
}

void FakeDaemon::set_mtu(Mtu mtu)
{
    (void)kernel_.model().set_mtu(device.ifindex(), mtu);
    heard();
}

void FakeDaemon::wait()
{
    for (unsigned i = 0; i < 32 && device.timer; i++) {
        device.timer = false;
        activation_->look();
    }
}

} // namespace nmib::test
