// SPDX-License-Identifier: GPL-2.0-or-later
/// The signals of an NMDevice and of its applied connection.
#pragma once
#include "nm_device.hpp"

namespace nmib
{

class DeviceSignals final : public ActiveSignals
{
public:
    /// The main loop calls the listener, with enter().
    DeviceSignals(const NmDevice &device, Listener &listener) noexcept : device_(device), listener_(listener) {}
    /// The device may be in its finalization.
    ~DeviceSignals() { stop(); }
    DeviceSignals(const DeviceSignals &) = delete;
    DeviceSignals &operator=(const DeviceSignals &) = delete;

    bool start() override;
    void stop() noexcept override;
    void look_in(unsigned milliseconds) override;

private:
    static void on_connection(gpointer, gpointer self) noexcept;
    static void on_carrier(gpointer, gpointer, gpointer self) noexcept;
    static void on_mtu(gpointer, gpointer, gpointer self) noexcept;
    void look_soon() { look_in(device_.carrier() ? burst : lost); }
    void leave_connection() noexcept;

    NmDevice device_;
    Listener &listener_;
    GObject *applied_ = nullptr; ///< weak pointer
    bool had_applied_ = false;   ///< since start(); the instance may be gone
    bool listening_ = false;     ///< to the device
    guint timer_ = 0;
    gint64 due_ = 0; ///< time of the timer, microseconds of g_get_monotonic_time()
};

} // namespace nmib
