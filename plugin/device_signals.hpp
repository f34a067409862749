// SPDX-License-Identifier: GPL-2.0-or-later
/// What can happen to an active device without a change of its state.
#pragma once
#include "nm_device.hpp"

namespace nmib
{

class DeviceSignals
{
public:
    /// Called from the main loop, inside the crash marker and the fence.
    class Listener
    {
    public:
        /// Reapply replaced the settings of the applied connection, or somebody edited them.
        virtual void connection_changed() = 0;
        /// MTU or carrier changed, or it is time to look again.
        virtual void look() = 0;

    protected:
        ~Listener() = default;
    };

    DeviceSignals(NmDevice device, Listener &listener) noexcept : device_(device), listener_(&listener) {}
    /// To be destroyed with the device: what is connected to it is gone by then.
    ~DeviceSignals();
    DeviceSignals(const DeviceSignals &) = delete;
    DeviceSignals &operator=(const DeviceSignals &) = delete;

    /// May be called again; follows a new applied connection.
    void start();
    void stop() noexcept;
    /// Events come in bursts, and the kernel sets carrier and MTU one after the other: look a little later, once.
    static constexpr unsigned burst = 200; ///< milliseconds
    void look_in(unsigned milliseconds);

private:
    void leave_connection() noexcept;

    NmDevice device_;
    Listener *listener_;
    GObject *applied_ = nullptr; ///< weak
    gulong applied_changed_ = 0;
    gulong device_changed_[2] = {};
    guint timer_ = 0;
};

} // namespace nmib
