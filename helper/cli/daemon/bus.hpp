// SPDX-License-Identifier: LGPL-2.1-or-later
/// The system bus.
#pragma once
#include "cli/base/gobject.hpp"
#include "core/result.hpp"

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

    /// The failure is in GIO's words.
    static Result<Bus> open();

    /// Asks and waits. What a service answers as an error comes in its own words. No service is started for it.
    Result<Variant> call(const Call &call) const;
    /// Asks many questions, some of them together: the answers in their order.
    std::vector<Result<Variant>> call_each(std::size_t count,
                                           const std::function<Call(std::size_t index)> &question) const;

private:
    explicit Bus(Object<GDBusConnection> connection) : connection_(std::move(connection)) {}

    Object<GDBusConnection> connection_;
};

} // namespace nmib::cli
