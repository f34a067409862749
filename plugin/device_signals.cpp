// SPDX-License-Identifier: GPL-2.0-or-later
#include "device_signals.hpp"

#include "crash_marker.hpp"

#include <utility>

namespace nmib
{

void DeviceSignals::on_connection(gpointer, gpointer self) noexcept
{
    enter("applied connection", [&] { static_cast<DeviceSignals *>(self)->listener_.connection_changed(); });
}

void DeviceSignals::on_carrier(gpointer, gpointer, gpointer self) noexcept
{
    enter("carrier", [&] { static_cast<DeviceSignals *>(self)->look_soon(); });
}

void DeviceSignals::on_mtu(gpointer, gpointer, gpointer self) noexcept
{
    enter("MTU", [&] {
        auto *signals = static_cast<DeviceSignals *>(self);
        signals->look_soon();
        signals->listener_.mtu_changed();
    });
}

bool DeviceSignals::start()
{
    auto *applied = device_.applied();
    const bool is_new = applied && applied != applied_, replaced = is_new && had_applied_;
    if (is_new) {
        leave_connection();
        had_applied_ = true;
        applied_ = applied;
        g_object_add_weak_pointer(applied_, reinterpret_cast<gpointer *>(&applied_));
        g_signal_connect(applied_, "changed", G_CALLBACK(on_connection), this);
    }
    if (std::exchange(listening_, true)) return replaced;
    g_signal_connect(device_.object(), "notify::carrier", G_CALLBACK(on_carrier), this);
    g_signal_connect(device_.object(), "notify::mtu", G_CALLBACK(on_mtu), this);
    return replaced;
}

void DeviceSignals::leave_connection() noexcept
{
    if (!applied_) return;
    g_signal_handlers_disconnect_by_data(applied_, this);
    g_object_remove_weak_pointer(applied_, reinterpret_cast<gpointer *>(&applied_));
    applied_ = nullptr;
}

void DeviceSignals::stop() noexcept
{
    leave_connection();
    had_applied_ = false;
    if (std::exchange(listening_, false)) g_signal_handlers_disconnect_by_data(device_.object(), this);
    if (timer_) g_source_remove(std::exchange(timer_, 0u));
}

void DeviceSignals::look_in(unsigned milliseconds)
{
    const auto due = g_get_monotonic_time() + gint64{milliseconds} * 1000;
    if (timer_ && due_ <= due) return;
    if (timer_) g_source_remove(timer_);
    due_ = due;
    const GSourceFunc run = [](gpointer self) -> gboolean {
        auto *signals = static_cast<DeviceSignals *>(self);
        signals->timer_ = 0;
        enter("look", [&] { signals->listener_.look(); });
        return G_SOURCE_REMOVE;
    };
    // Low priority: NetworkManager's own timers and idle calls for the same events run first.
    timer_ = g_timeout_add_full(G_PRIORITY_LOW, milliseconds, run, this, nullptr);
}

} // namespace nmib
