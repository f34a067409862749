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

} // namespace nmib
