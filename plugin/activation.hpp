// SPDX-License-Identifier: LGPL-2.1-or-later
/// The activation of a profile on one InfiniBand device. NetworkManager activates; this code adapts the profile's
/// request to the hardware.
#pragma once
#include "apply/plan/apply.hpp"
#include "configuration.hpp"
#include "core/plan/facts.hpp"
#include "core/plan/finding.hpp"
#include "core/plan/moment.hpp"
#include "log.hpp"
#include "probe/plan/probe.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace nmib
{

// The device of an activation: NmDevice and DeviceSignals in the daemon, a fake in tests.

class ActiveDevice
{
public:
    virtual int ifindex() const = 0; ///< 0 if the device has no interface
    virtual std::string name() const = 0;
    virtual std::string profile_uuid() const = 0;
    virtual bool carrier() const = 0; ///< as NetworkManager believes
    /// Returns true if NetworkManager does not activate a profile here (the activation is external or unknown).
    virtual bool hands_off() const = 0;

    /// Returns the request of the applied connection without `features`, for which the daemon exports no function;
    /// nothing without an InfiniBand profile.
    virtual std::optional<Intent> intent() const = 0;
    /// Transport mode of the applied connection, the activation's copy of the profile.
    virtual std::optional<std::string> mode() const = 0;
    /// Returns false if the property cannot be written, or would be the stored profile's.
    virtual bool set_mode(const std::string &word) = 0;

protected:
    ~ActiveDevice() = default;
};

/// Signals of an active device, except changes of its state.
class ActiveSignals
{
public:
    /// Starts listening. Returns true if the daemon has replaced the applied connection without the signal "changed".
    virtual bool start() = 0;
    virtual void stop() noexcept = 0;
    /// Milliseconds. One look follows a burst of events: the kernel changes carrier and MTU separately.
    static constexpr unsigned burst = 200;
    /// Milliseconds after the carrier is lost: most carriers return earlier.
    static constexpr unsigned lost = 3000;
    /// Schedules a look, unless an earlier look is scheduled.
    virtual void look_in(unsigned milliseconds) = 0;

    class Listener
    {
    public:
        /// Reapply replaced the settings of the applied connection, or a program edited them.
        virtual void connection_changed() = 0;
        /// The MTU may have changed. A look follows.
        virtual void mtu_changed() = 0;
        /// MTU or carrier changed, or a scheduled look is due.
        virtual void look() = 0;

    protected:
        ~Listener() = default;
    };

protected:
    ~ActiveSignals() = default;
};

// The daemon's Probe, opened at the first use and kept for later activations.

class DaemonProbe
{
public:
    explicit DaemonProbe(ProbePaths paths) : paths_(std::move(paths)) {}
    Result<Probe> &get()
    {
        if (!probe_) probe_ = Probe::open(paths_);
        return probe_;
    }
    /// Closes the sockets after an unexpected error: they may hold answers to older requests.
    void renew() { probe_ = Error{}; }

private:
    ProbePaths paths_;
    Result<Probe> probe_ = Error{};
};

/// Shared by all activations of a process.
struct Surroundings {
    std::string state; ///< /run/NetworkManager/nm-infiniband
    DaemonProbe probe;
    std::function<const Configuration &()> configuration;
    Log log;
};

class Activation final : public ActiveSignals::Listener
{
public:
    Activation(ActiveDevice &device, ActiveSignals &signals, Surroundings &surroundings) noexcept :
        device_(device), signals_(signals), around_(surroundings)
    {
    }

    /// Handles NMDevice::state-changed, before the daemon's own handlers.
    void state(unsigned now, unsigned reason);
    /// Restores the mode of the applied connection, stops listening, and forgets the activation.
    void stop();
    void connection_changed() override;
    void mtu_changed() override;
    void look() override;

    /// Facts of the last activated profile, for the removal of leftovers.
    struct Last {
        int ifindex = 0;          ///< the device forgets its number before the signal
        bool skipped = false;     ///< the profile opted out, or may have: the files were not read
        bool limited_key = false; ///< the P_Key is without bit 15
        bool active = false;      ///< the activation was complete
    };
    const Last &last() const noexcept { return run_.last; }

private:
    const Policy &policy() const { return around_.configuration().policy; }
    void prepare();
    void config();
    /// The files are read: sees whether the profile has rdma.skip. Returns true if so.
    bool opts_out_late();
    /// A profile is adapted here.
    bool is_ours() const { return run_.intent && policy().plugin; }
    /// Finds out whether another program, a script of pre-up.d, set the MTU between CONFIG and ACTIVATED.
    void detect_script_mtu(const LinkRow &link);
    /// NetworkManager has finished an activation or Reapply.
    void activated();
    /// @param epoch the carrier's change counter, read before all values that decide
    /// @param link read after `epoch`; null if the rule of the moment does not need the link
    void plan_and_apply(Moment moment, std::optional<std::uint64_t> epoch, const LinkRow *link = nullptr);
    /// Starts listening; an applied connection that was replaced without a signal counts as Reapply.
    void listen();
    /// Returns true if the kernel may have changed the MTU, because of a new broadcast group.
    bool is_from_group(const LinkRow &link) const;
    /// Reads the interface, and logs an error.
    std::optional<LinkRow> read_link();

    /// Decides the mode before NetworkManager writes it.
    void decide_mode();
    /// Overrides the mode for NetworkManager's stage 1 only: a later difference from the profile makes Reapply fail.
    /// No signal is connected then, so these changes of the applied connection are not taken for Reapply.
    /// Returns false if NetworkManager will use the profile's mode all the same.
    bool override_mode(const std::string &word);
    void restore_mode();

    /// Returns true if a plan could not change anything when a carrier returns. This saves work: all children of a port
    /// lose and regain the carrier together. An interface that a quirk covers is always planned in full.
    bool is_as_left(const LinkRow &link) const;
    std::optional<std::uint64_t> carrier_epoch();
    void report(const Outcome &outcome);
    void report(const Finding &finding);
    /// Logs the error, and opens the sockets again unless the interface is gone.
    void log_unread(const Error &error);
    /// The same, and looks again after some seconds.
    void try_again(const Error &error);
    void log_once(Severity severity, const std::string &line);
    /// Logs at level debug why the device is left alone.
    void debug(const char *why);
    LogContext context() const { return {device_.name(), device_.profile_uuid()}; }

    /// The state of one activation.
    struct Run {
        Last last{};
        std::optional<Intent> intent{};            ///< of the applied connection, while active
        std::optional<std::string> profile_mode{}; ///< set while the mode is overridden
        bool reapplied = false;                    ///< the applied connection changed since the last look
        bool first = true;                         ///< until the first ACTIVATED is handled
        bool requested = true;                     ///< NetworkManager requests the MTU in this activation or Reapply
        bool mtu_moved = false;                    ///< the MTU changed since NetworkManager could request it
        bool by_hand = false;                      ///< a user changed mode or MTU, which stay
        bool switched = false;                     ///< the plugin switched a feature
        bool overridden = false;                   ///< the profile names an offload that a quirk switches
        bool unread = false;                       ///< the last look could not read quirks, or a value that they need
        bool open = false;                         ///< so, or the last plan still has changes
        unsigned patience = 0;                     ///< remaining looks for a missing carrier
        std::optional<std::uint64_t> carrier_epoch{}; ///< at the last look
        std::optional<Link> left{};                   ///< after the last look; the MTU follows changes by hand
    };

    ActiveDevice &device_;
    ActiveSignals &signals_;
    Surroundings &around_;
    Run run_;
    LoggedLines logged_;
    std::string logged_for_;          ///< UUID of the profile that logged_ belongs to
    std::optional<Mtu> script_mtu_{}; ///< another program set it during the last activation
    bool assumed_ = false;            ///< the activation is from an earlier daemon: stage 1 does nothing
};

} // namespace nmib
