// SPDX-License-Identifier: LGPL-2.1-or-later
/// NetworkManager's behaviour for one device, as the plugin sees it: stages of an activation, Reapply, carrier, time.
/// Runs on a modelled kernel.
#pragma once
#include "activation.hpp"
#include "fake_kernel.hpp"

#include <memory>

namespace nmib::test
{

/// An InfiniBand profile.
struct FakeProfile {
    std::string uuid = "u1";
    Intent asks{};
    bool external = false; ///< NetworkManager only shows the profile
};

class FakeDevice final : public ActiveDevice, public ActiveSignals
{
public:
    explicit FakeDevice(int ifindex, std::string name) : ifindex_(ifindex), name_(std::move(name)) {}

    int ifindex() const override { return gone ? 0 : ifindex_; }
    std::string name() const override { return name_; }
    std::string profile_uuid() const override { return applied ? applied->uuid : ""; }
    bool carrier() const override { return believed_carrier; }
    bool hands_off() const override { return !applied || applied->external; }
    std::optional<Intent> intent() const override;
    std::optional<std::string> mode() const override { return applied ? std::optional(word) : std::nullopt; }
    bool set_mode(const std::string &w) override;
    void set_mtu(Mtu mtu);

    void start() override { listening = true; }
    void stop() noexcept override { listening = timer = false; }
    void look_in(unsigned) override { timer = true; }

    std::optional<FakeProfile> applied;
    std::string word; ///< the applied connection's transport-mode
    bool gone = false, believed_carrier = true, listening = false, timer = false;
    Listener *listener = nullptr;

private:
    void changed() const;
    int ifindex_;
    std::string name_;
};

class FakeDaemon
{
public:
    FakeDaemon(FakeKernel &kernel, int ifindex, Policy &policy);

    /// Returns true if the device is active at the end.
    bool activate(const FakeProfile &profile, bool assumed = false);
    void deactivate(bool assumed = false);
    /// Reapply, or `nmcli device modify`, with another MTU.
    void reapply(Mtu mtu);
    /// `nmcli device modify` without a change: sends back the profile as read.
    void touch();
    void lose_carrier();
    void join(Mtu group);
    /// A user sets the MTU, and NetworkManager notices.
    void set_mtu(Mtu mtu);
    /// The driver refuses a change of the mode.
    void refuse_modes();
    /// Time passes until no timer is set, at most half a minute.
    void wait();
    /// A new Activation without any state takes over.
    void forget();

    bool is_active() const noexcept { return active_; }
    const Link &link();
    FakeKernel &kernel() noexcept { return kernel_; }

    FakeDevice device;
    std::vector<std::pair<Finding::Severity, std::string>> lines;

private:
    bool prepare(bool assumed);
    std::string mode_file() const { return "class/net/" + device.name() + "/mode"; }
    void count_carrier();
    void heard();

    FakeKernel &kernel_;
    Surroundings around_;
    std::unique_ptr<Activation> activation_;
    bool active_ = false, refuses_ = false;
};

} // namespace nmib::test
