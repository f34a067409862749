// SPDX-License-Identifier: GPL-2.0-or-later
/// The signals of an NMDevice and of its applied connection.
#pragma once
#include "nm_device.hpp"

namespace nmib
{

class DeviceSignals final : public ActiveSignals
{
public:
    /// The listener is called from the main loop, inside the crash marker and the fence.
    DeviceSignals(const NmDevice &device, Listener &listener) noexcept : device_(device), listener_(&listener) {}
    /// To be destroyed with the device: what is connected to it is gone by then.
    ~DeviceSignals();
    DeviceSignals(const DeviceSignals &) = delete;
    DeviceSignals &operator=(const DeviceSignals &) = delete;

    void start() override;
    void stop() noexcept override;
    void look_in(unsigned milliseconds) override;
    /// Of the device.
    void changed() { look_in(device_.carrier() ? burst : lost); }

private:
    void leave_connection() noexcept;

    NmDevice device_;
    Listener *listener_;
    GObject *applied_ = nullptr; ///< weak
    gulong applied_changed_ = 0;
    gulong device_changed_[2] = {};
    guint timer_ = 0;
    gint64 due_ = 0; ///< of the timer, g_get_monotonic_time()
};

} // namespace nmib
