// SPDX-License-Identifier: LGPL-2.1-or-later
/// P_Key children that NetworkManager leaves behind, where the plugin does not see to them.
#pragma once
#include "apply/plan/apply.hpp"
#include "core/plan/leftover.hpp"
#include "probe/plan/probe.hpp"

namespace nmib
{

/// On `up`: remembers that this child was made by a profile, if NetworkManager's own note says so, and how often its
/// carrier had changed by then. Only such a one is ever removed.
Result<void> remember_child(const LinkRow &child, const ProbePaths &paths);

/// On `down`, and again after the wait. The event may come late, or belong to a profile that is brought up again:
/// NetworkManager then uses the same interface. It takes every interface down and up when it activates it and not when
/// it deactivates it, so the carrier decides: one that has changed since `up` is in use. (After a flap of the link that
/// leaves a child behind; the other way a profile would lose its interface.)
Leftover judge_leftover(const LinkRow &child, const ProbePaths &paths, bool waited);

/// Seconds between the two looks. An activation that is queued until the carrier is there has 6 of them (nm-device.c);
/// with less than 10, nm-dispatcher, which ends when it is idle for so long, ends later than the helper.
constexpr unsigned leftover_wait(Leftover verdict) noexcept { return verdict == Leftover::later ? 8 : 2; }

} // namespace nmib
