// SPDX-License-Identifier: LGPL-2.1-or-later
/// The arguments and the environment of a dispatcher script (NetworkManager-dispatcher(8)).
#pragma once
#include "core/base/result.hpp"
#include "core/ib/ifname.hpp"

#include <optional>
#include <string>

namespace nmib
{

struct Event {
    enum class Action { pre_up, up, reapply, down };
    IfName link;
    Action action;
    std::string uuid, id, filename; ///< CONNECTION_UUID, CONNECTION_ID, CONNECTION_FILENAME; empty if unset
};

/// Works like getenv(3).
using Environment = const char *(*)(const char *name);

/// Returns nothing for an irrelevant event: another action, no interface, an external connection. Error: a call that
/// NetworkManager never makes.
Result<std::optional<Event>> parse_event(int argc, const char *const *argv, Environment environment);

// The process of the dispatcher helper.

/// Drops all capabilities except CAP_NET_ADMIN, also for programs started later. Call before reading any input. File
/// permissions then apply to root like to other users.
Result<void> confine();

/// Ends the process after this many seconds, with a line on stderr. NetworkManager itself would wait 600 s.
void set_deadline(unsigned seconds) noexcept;

/// Continues in a new process after this many seconds; the old process ends at once with status 0. NetworkManager's
/// dispatcher runs one script after the other for all interfaces, so a waiting script delays all events. nm-dispatcher
/// allows the new process (KillMode=process in its unit). If fork(2) fails, waits in the old process.
void wait_outside_queue(unsigned seconds) noexcept;

} // namespace nmib
