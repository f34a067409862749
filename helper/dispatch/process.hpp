// SPDX-License-Identifier: LGPL-2.1-or-later
/// The dispatcher helper's own process: what it gives up, and how long it lasts.
#pragma once
#include "core/base/result.hpp"

namespace nmib
{

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
