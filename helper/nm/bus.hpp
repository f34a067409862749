// SPDX-License-Identifier: LGPL-2.1-or-later
/// Method calls on D-Bus.
#pragma once
#include "core/base/result.hpp"
#include "terminal/glib.hpp"

#include <functional>
#include <vector>

namespace nmib::cli
{

class Bus
{
public:
    struct Call {
        const char *service, *path, *interface, *method;
        GVariant *args;    ///< floating, or null for none
        const char *reply; ///< type of the reply
    };

    /// Returns libnm's bus: the session bus if LIBNM_USE_SESSION_BUS is set (nm-dbus-helpers.c), else the system bus.
    static GBusType of_libnm();
    /// Error: GIO's message.
    static Result<Bus> open(GBusType type = G_BUS_TYPE_SYSTEM);

    /// Calls a method and waits. Does not start the service. Error: the message of the reply; `io`: no reply in time;
    /// `absent`: no such profile.
    Result<Variant> call(const Call &call) const;
    /// Makes `count` calls, up to 64 at once. Returns the replies in the order of the calls.
    std::vector<Result<Variant>> call_each(std::size_t count,
                                           const std::function<Call(std::size_t index)> &question) const;

private:
    explicit Bus(Object<GDBusConnection> connection) : connection_(std::move(connection)) {}

    Object<GDBusConnection> connection_;
};

} // namespace nmib::cli
