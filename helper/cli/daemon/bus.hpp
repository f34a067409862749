// SPDX-License-Identifier: LGPL-2.1-or-later
/// A message bus.
#pragma once
#include "cli/base/gobject.hpp"
#include "core/base/result.hpp"

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
        const char *reply; ///< the type of the answer
    };

    /// The bus that libnm uses: the session bus if LIBNM_USE_SESSION_BUS is set (nm-dbus-helpers.c), else the system
    /// bus.
    static GBusType of_libnm();
    /// The failure is in GIO's words.
    static Result<Bus> open(GBusType type = G_BUS_TYPE_SYSTEM);

    /// Calls a method and waits. An error reply keeps its own words; its kind is `io` if no reply came in time. Does
    /// not start the service.
    Result<Variant> call(const Call &call) const;
    /// Asks many questions, some of them together: the answers in their order.
    std::vector<Result<Variant>> call_each(std::size_t count,
                                           const std::function<Call(std::size_t index)> &question) const;

private:
    explicit Bus(Object<GDBusConnection> connection) : connection_(std::move(connection)) {}

    Object<GDBusConnection> connection_;
};

} // namespace nmib::cli
