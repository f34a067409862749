// SPDX-License-Identifier: LGPL-2.1-or-later
/// What happens to one InfiniBand device while a profile is active on it: NetworkManager does the activation, this fits
/// what it is asked to do to what the hardware can.
#pragma once
#include "apply/plan/apply.hpp"
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

// What an activation needs of its device. NetworkManager's own is behind NmDevice and DeviceSignals; a test has
// another.

class ActiveDevice
{
public:
    virtual int ifindex() const = 0; ///< 0 when there is no interface behind the device
    virtual std::string name() const = 0;
    virtual std::string profile_uuid() const = 0;
    virtual bool carrier() const = 0; ///< as NetworkManager believes
    /// No profile is being activated by NetworkManager here: shown only, or it is not known.
    virtual bool hands_off() const = 0;

    /// What the applied connection asks; nothing when it is no InfiniBand profile. `features` are those of the
    /// profile's file, which the daemon's exported functions do not give.
    virtual std::optional<Intent> intent() const = 0;
    /// Of the applied connection, which is the activation's own copy of the profile. Setting is false when there is no
    /// such thing to edit.
    virtual std::optional<std::string> mode() const = 0;
    virtual bool set_mode(const std::string &word) = 0;

protected:
    ~ActiveDevice() = default;
};

/// The signals of an active device besides a change of its state.
class ActiveSignals
{
public:
    /// From now on; again after the applied connection is another.
    virtual void start() = 0;
    virtual void stop() noexcept = 0;
    /// Events come in bursts, and the kernel sets carrier and MTU one after the other: look a little later, once.
    static constexpr unsigned burst = 200; ///< milliseconds
    /// Why a carrier is lost is asked later still: most are back by then.
    static constexpr unsigned lost = 3000; ///< milliseconds
    /// A look that is due earlier stands.
    virtual void look_in(unsigned milliseconds) = 0;

    class Listener
    {
    public:
        /// Reapply replaced the settings of the applied connection, or a program edited them.
        virtual void connection_changed() = 0;
        /// MTU or carrier changed, or it is time to look again.
        virtual void look() = 0;

    protected:
        ~Listener() = default;
    };

protected:
    ~ActiveSignals() = default;
};

// The daemon's one look at the kernel: opened when it is first needed, kept for the next activation.

class DaemonProbe
{
public:
    explicit DaemonProbe(ProbePaths paths) : paths_(std::move(paths)) {}
    Result<Probe> &get()
    {
        if (!probe_) probe_ = Probe::open(paths_);
        return probe_;
    }
    /// After an unexpected error: what its sockets still hold may be an answer to an older question.
    void renew() { probe_ = Error{}; }

private:
    ProbePaths paths_;
    Result<Probe> probe_ = Error{};
};

/// What all activations of a process share.
struct Surroundings {
    std::string state; ///< the directory /run/NetworkManager/nm-infiniband
    DaemonProbe probe;
    std::function<const Policy &()> policy;
    Log log;
};

class Activation final : public ActiveSignals::Listener
{
public:
    Activation(ActiveDevice &device, ActiveSignals &signals, Surroundings &surroundings) noexcept :
        device_(device), signals_(signals), around_(surroundings)
    {
    }

    /// NMDevice::state-changed, before the daemon does what the new state asks for.
    void state(unsigned now, unsigned reason);
    void connection_changed() override;
    void look() override;

    /// Of the profile that was activated last, for who looks after what it leaves behind.
    struct Last {
        int ifindex = 0;          ///< the device forgets it before the signal
        bool skipped = false;     ///< the profile opted out: it is left to NetworkManager
        bool limited_key = false; ///< its P_Key is without bit 15
    };
    const Last &last() const noexcept { return run_.last; }

private:
    void prepare();
    void config();
    /// NetworkManager has done its part of an activation or of Reapply.
    void activated();
    /// @param epoch the carrier's, read before anything that decided on the moment; not asked once it is over
    /// @param link read since then; null where the moment's rule has no need of it
    void plan_and_apply(Moment moment, std::optional<std::uint64_t> epoch, const LinkRow *link = nullptr);
    /// The interface; logs why it cannot be read.
    std::optional<LinkRow> read_link();

    /// Decides the mode before NetworkManager writes it.
    void decide_mode();
    /// A mode for NetworkManager's stage 1 only: what differs from the profile later would make Reapply fail.
    void override_mode(const std::string &word);
    void restore_mode();

    /// When a carrier returns: is there nothing that a plan could change? A port with many children flaps as one, and
    /// the daemon looks at each of them. An interface of which a quirk speaks is always looked at in full.
    bool is_as_left(const LinkRow &link) const;
    std::optional<std::uint64_t> carrier_epoch();
    void report(const Outcome &outcome, Moment moment);
    void report(const Finding &finding, Moment moment);
    /// The facts could not be had.
    void unseen(const Error &error);
    void say(Finding::Severity severity, const std::string &line);
    /// Why nothing is done, for who wants to know.
    void debug(const char *why);
    LogContext context() const { return {device_.name(), device_.profile_uuid()}; }

    /// What comes to be known in one activation. The next begins with nothing of it.
    struct Run {
        Last last{};
        std::optional<Intent> wish{};                 ///< of the applied connection, while one is active
        std::optional<std::string> profile_mode{};    ///< set while the mode is overridden
        bool reapplied = false;                       ///< the applied connection is another since the last look
        bool by_hand = false;                         ///< mode or MTU were changed by hand, and stay
        bool switched = false;                        ///< a feature was switched
        bool open = false;                            ///< the last look left something to do
        bool unread = false;                          ///< the last look could not read what a quirk depends on
        unsigned patience = 0;                        ///< looks left while the carrier is awaited
        std::optional<std::uint64_t> carrier_epoch{}; ///< at the last look
        std::optional<Link> left{};                   ///< as the last look left it, but for an MTU set by hand
    };

    ActiveDevice &device_;
    ActiveSignals &signals_;
    Surroundings &around_;
    Run run_;
    LoggedLines told_;
    std::string told_of_;  ///< the profile's UUID
    bool assumed_ = false; ///< taken over from an earlier daemon: its stage 1 does nothing
    bool busy_ = false;    ///< an edit of ours is under way
};

} // namespace nmib
