// SPDX-License-Identifier: GPL-2.0-or-later
/// What an activation needs of its device. NetworkManager's own is behind NmDevice and DeviceSignals; a test has
/// another.
#pragma once
#include "core/plan/intent.hpp"

#include <string>

namespace nmib
{

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

} // namespace nmib
