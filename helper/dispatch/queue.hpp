// SPDX-License-Identifier: LGPL-2.1-or-later
/// NetworkManager's dispatcher starts one script after the other, for all interfaces of the machine: who waits makes
/// all of them wait.
#pragma once

namespace nmib
{

/// Goes on in a process of its own, so many seconds later, while the one that the dispatcher waits for ends at once
/// with status 0. nm-dispatcher allows that (KillMode=process in its unit). Where there can be no other process, it
/// waits in this one.
void wait_outside_queue(unsigned seconds) noexcept;

} // namespace nmib
