// SPDX-License-Identifier: LGPL-2.1-or-later
/// NetworkManager's behaviour for one device, as the plugin sees it: stages of an activation, Reapply, carrier, time.
/// Runs on a modelled kernel. Written from src/core/devices/nm-device.c and nm-device-infiniband.c of NetworkManager
/// 1.42.
#pragma once
#include "activation.hpp"
#include "fake_kernel.hpp"

#include <memory>
#include <utility>

namespace nmib::test
{

/// An InfiniBand profile.
struct FakeProfile {
    std::string uuid = "u1";
    Intent asks{};
    bool external = false;                                ///< NetworkManager only shows the profile
    Mtu ip6_mtu = 0;                                      ///< ipv6.mtu; 0: automatic
    std::vector<std::pair<FeatureName, bool>> features{}; ///< ethtool.feature-*

    /// The carrier that stage 1 takes away comes back after NetworkManager has set the MTU, not before.
    bool carrier_is_late = false;

    /// A script of the dispatcher's pre-up.d sets this MTU.
    std::optional<Mtu> script_mtu{};
    bool script_is_late = false; ///< looks that are due run before the script sets the MTU
    bool script_is_slow = false; ///< ... before the script ends
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

    bool start() override
    {
        listening = true;
        return std::exchange(replaced, false);
    }
    void stop() noexcept override { listening = timer = false; }
    void look_in(unsigned) override { timer = true; }

    std::optional<FakeProfile> applied;
    std::string word;            ///< the applied connection's transport-mode
    bool replaced = false;       ///< the applied connection, without the signal "changed"
    bool applies_stored = false; ///< the applied connection is the stored profile
    bool gone = false, believed_carrier = true, listening = false, timer = false;
    Listener *listener = nullptr;

    void changed() const;

private:
    int ifindex_;
    std::string name_;
};

class FakeDaemon
{
public:
    /// @param has_plugin false: NetworkManager alone
    FakeDaemon(FakeKernel &kernel, int ifindex, const Policy &policy, bool has_plugin = true);

    /// Returns true if the device is active at the end.
    bool activate(const FakeProfile &profile, bool assumed = false);
    void deactivate(bool assumed = false);
    /// Reapply, or `nmcli device modify`, with another MTU.
    void reapply(Mtu mtu);
    /// `nmcli device modify` of an address, or without a change: sends back the profile as read.
    void touch();
    /// The daemon ends, and the next one takes over the activation. The stored profile is the applied one again.
    void restart();
    /// A router advertises an MTU for IPv6.
    void advertise(Mtu mtu);
    void lose_carrier();
    /// The carrier is lost, if there is one, and comes with this broadcast group.
    void join(Mtu group);
    /// Client re-registration: the group is joined again while the carrier stays.
    void rejoin(Mtu group);
    /// A user sets the MTU, and NetworkManager notices.
    void set_mtu(Mtu mtu);
    /// A user sets the mode; NetworkManager does not notice.
    void set_mode(TransportMode mode);
    void set_ip6_mtu(Mtu mtu);
    /// The driver refuses a change of the mode.
    void refuse_modes();
    /// Time passes until no timer is set, at most half a minute.
    void wait();
    /// A new Activation without any state takes over.
    void forget();

    /// The pre-up script of the activation changed the MTU, so that NetworkManager noticed.
    bool script_changed_mtu() const noexcept { return daemon_.script_changed_mtu; }
    /// The kernel changed the MTU when a late carrier came.
    bool carrier_changed_mtu() const noexcept { return daemon_.carrier_changed_mtu; }
    bool is_active() const noexcept { return daemon_.active; }
    const Link &link();
    Mtu ip6_mtu() { return kernel_.model().ip6_mtu(device.ifindex()); }
    FakeKernel &kernel() noexcept { return kernel_; }
    /// Takes over the state of another daemon and of its kernel, except the plugin's.
    void copy(FakeDaemon &other);

    FakeDevice device;
    Configuration configuration; ///< the policy, and whether the active profile has rdma.skip
    std::vector<std::pair<Severity, std::string>> lines;

private:
    /// NMDevicePrivate. One that is unset in NetworkManager is 0 here.
    struct Daemon {
        bool active = false;
        bool waits_for_carrier = false;
        bool assumed = false; ///< NM_DEVICE_SYS_IFACE_STATE_ASSUME
        bool script_changed_mtu = false, carrier_changed_mtu = false;
        bool mtu_is_from_profile = false;       ///< mtu_source is NM_DEVICE_MTU_SOURCE_CONNECTION
        Mtu mtu_initial = 0, ip6_initial = 0;   ///< restored by nm_device_cleanup
        Mtu advertised = 0;                     ///< ip6_mtu
        std::vector<Feature> features_before{}; ///< ethtool_state->features
    };

    void state(unsigned now, unsigned reason = 0);
    bool prepare();
    void carrier_comes();
    void set_features();
    void commit_mtu();
    void run_script();
    void clean_up();
    void heard();
    /// Link events reach NetworkManager: notify::mtu, if the MTU changed.
    void notice();
    template<class Change> auto change(const Change &c)
    {
        const auto before = link().mtu;
        const auto done = kernel_.change([&](auto &model) { return c(model, device.ifindex()); });
        if (device.listening && link().mtu != before) device.listener->mtu_changed();
        return done;
    }

    FakeKernel &kernel_;
    Surroundings around_;
    std::unique_ptr<Activation> activation_;
    Daemon daemon_{};
    FakeProfile stored_{}; ///< the profile of the last activation, which Reapply does not change
    Mtu noticed_mtu_ = 0;  ///< NMDevice's property
    bool has_plugin_, refuses_ = false;
};

} // namespace nmib::test
