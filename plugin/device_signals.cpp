// SPDX-License-Identifier: GPL-2.0-or-later
#include "device_signals.hpp"

#include "crash_marker.hpp"
#include "log.hpp"

#include <utility>

namespace nmib
{

namespace
{
template<auto member> void enter(DeviceSignals::Listener *listener) noexcept
{
    const CrashMarker::Inside inside;
    fenced("active device", [&] { (listener->*member)(); });
}

void connection_changed(gpointer, gpointer listener) noexcept
{
    enter<&DeviceSignals::Listener::connection_changed>(static_cast<DeviceSignals::Listener *>(listener));
}

void carrier_changed(gpointer, gpointer, gpointer watch) noexcept
{
    const CrashMarker::Inside inside;
    static_cast<DeviceSignals *>(watch)->changed();
}

void mtu_changed(gpointer, gpointer, gpointer watch) noexcept
{
    auto *signals = static_cast<DeviceSignals *>(watch);
    signals->changed();
    enter<&DeviceSignals::Listener::mtu_changed>(&signals->listener());
}
} // namespace

DeviceSignals::~DeviceSignals()
{
    for (auto &id : device_changed_) id = 0;
    stop();
}

bool DeviceSignals::start()
{
    const bool replaced = applied_ && device_.applied() && device_.applied() != applied_;
    if (auto *applied = device_.applied(); applied && applied != applied_) {
        leave_connection();
        applied_ = applied;
        g_object_add_weak_pointer(applied_, reinterpret_cast<gpointer *>(&applied_));
        applied_changed_ = g_signal_connect(applied_, "changed", G_CALLBACK(connection_changed), listener_);
    }
    if (device_changed_[0]) return replaced;
    device_changed_[0] = g_signal_connect(device_.object(), "notify::carrier", G_CALLBACK(carrier_changed), this);
    device_changed_[1] = g_signal_connect(device_.object(), "notify::mtu", G_CALLBACK(mtu_changed), this);
    return replaced;
}

void DeviceSignals::leave_connection() noexcept
{
    if (!applied_) return;
    g_signal_handler_disconnect(applied_, applied_changed_);
    g_object_remove_weak_pointer(applied_, reinterpret_cast<gpointer *>(&applied_));
    applied_ = nullptr;
}

void DeviceSignals::stop() noexcept
{
    leave_connection();
    for (auto &id : device_changed_)
        if (id) g_signal_handler_disconnect(device_.object(), std::exchange(id, 0));
    if (timer_) g_source_remove(std::exchange(timer_, 0u));
}

void DeviceSignals::look_in(unsigned milliseconds)
{
    const auto due = g_get_monotonic_time() + gint64{milliseconds} * 1000;
    if (timer_ && due_ <= due) return;
    if (timer_) g_source_remove(timer_);
    due_ = due;
    const GSourceFunc run = [](gpointer self) -> gboolean {
        auto *w = static_cast<DeviceSignals *>(self);
        w->timer_ = 0;
        enter<&Listener::look>(w->listener_);
        return G_SOURCE_REMOVE;
    };
    // Low priority: NetworkManager's own timers and idle calls for the same events run first.
    timer_ = g_timeout_add_full(G_PRIORITY_LOW, milliseconds, run, this, nullptr);
}

} // namespace nmib
