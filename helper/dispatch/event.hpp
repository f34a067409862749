// SPDX-License-Identifier: LGPL-2.1-or-later
/// What NetworkManager's dispatcher passes to a script: two arguments and an environment
/// (NetworkManager-dispatcher(8)).
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
    std::string uuid, id, filename; ///< CONNECTION_UUID, CONNECTION_ID, CONNECTION_FILENAME; empty when unset
};

/// Looks a variable up, as getenv does.
using Environment = const char *(*)(const char *name);

/// Nothing for an event that is none of ours: another action, no interface, an external connection. An Error for a call
/// that NetworkManager would never make.
Result<std::optional<Event>> parse_event(int argc, const char *const *argv, Environment environment);

// The dispatcher helper's own process: what it gives up, and how long it lasts.

/// Before anything from outside is looked at: keeps CAP_NET_ADMIN and nothing else, for good: no program that is
/// started gets more. Files are then reached by their owner, root, alone.
Result<void> confine();

/// After so many seconds the process says so in one line and ends; NetworkManager itself would wait 600.
void set_deadline(unsigned seconds) noexcept;

/// NetworkManager's dispatcher starts one script after the other, for all interfaces of the machine: who waits makes
/// all of them wait. This goes on in a process of its own, so many seconds later, while the one that the dispatcher
/// waits for ends at once with status 0. nm-dispatcher allows that (KillMode=process in its unit). Where there can be
/// no other process, it waits in this one.
void wait_outside_queue(unsigned seconds) noexcept;

} // namespace nmib
