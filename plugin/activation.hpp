// SPDX-License-Identifier: GPL-2.0-or-later
/// What happens to one InfiniBand device while a profile is active on it: NetworkManager does the activation, this fits
/// what it is asked to do to what the hardware can.
#pragma once
#include "apply/apply.hpp"
#include "core/moment.hpp"
#include "device_signals.hpp"
#include "log.hpp"

#include <cstdint>
#include <set>

namespace nmib
{

class Activation final : DeviceSignals::Listener
{
public:
    /// The one of a device; made when first asked for, gone with the device.
    static Activation &of(NMDevice *device);

    /// NMDevice::state-changed, before the daemon does what the new state asks for.
    void state(guint now, guint before, guint reason);
    /// The profile that was activated last is left to NetworkManager.
    bool skipped() const noexcept { return skipped_; }

private:
    explicit Activation(NMDevice *device) : device_(device), signals_(device_, *this) {}
    ~Activation() = default;

    /// What was kept about an interface that is no more.
    void forget_if_gone();
    void prepare();
    void config();
    void activated();
    void disconnected();
    void connection_changed() override;
    void look() override;
    /// @param epoch the carrier's, read before anything that decided on the moment; not asked once it is over
    void settle(Moment moment, std::optional<std::uint64_t> epoch, Situation situation = {});

    /// Decides the mode before NetworkManager writes it.
    void decide_mode(Probe &probe, Facts &facts, const Policy &policy);
    /// A mode for NetworkManager's stage 1 only: what differs from the profile later would make Reapply fail.
    void override_mode(const std::string &word);
    void restore_mode();
    /// Makes NetworkManager's own commit of the MTU agree with what is in effect.
    void edit_mtu(Mtu effective);
    /// Where the applied connection has an MTU of ours, only the stored profile says what is asked for: a correction to
    /// just that MTU is no difference to NetworkManager, and it does not tell of one.
    void read_wish();

    std::optional<std::uint64_t> carrier_epoch() const;
    void report(const Outcome &outcome, const Policy &policy, Moment moment);
    /// The facts could not be had.
    void unseen(const Error &error);
    void say(Finding::Severity severity, const std::string &line);
    LogContext context() const;

    NmDevice device_;
    DeviceSignals signals_;
    bool assumed_ = false;                       ///< taken over from an earlier daemon: its stage 1 does nothing
    bool skipped_ = false;                       ///< the last profile opted out
    bool limited_key_ = false;                   ///< the profile's P_Key is without bit 15
    bool busy_ = false;                          ///< an edit of ours is under way
    std::optional<Intent> wish_;                 ///< as the profile asks, while one is active
    std::optional<std::string> profile_mode_;    ///< set while the mode is overridden
    std::optional<Mtu> edited_mtu_;              ///< what we wrote over the profile's MTU
    bool switched_ = false;                      ///< a feature was switched in this activation
    std::set<std::string> said_;                 ///< lines are said once per activation
    std::set<std::string> standing_;             ///< what is no news at the next activation: said once in its life
    int ifindex_ = 0;                            ///< of the last activation: the device forgets it before we are told
    unsigned patience_ = 0;                      ///< looks left while the carrier is awaited
    std::optional<std::uint64_t> carrier_epoch_; ///< at the last look
    std::optional<Link> left_;                   ///< as the last look left it
    bool open_ = false;                          ///< the last look left something to do or, of the MTU, to say
};

} // namespace nmib
