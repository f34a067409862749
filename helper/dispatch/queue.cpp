// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/queue.hpp"

#include "dispatch/confine.hpp"

#include <unistd.h>

namespace nmib
{

void wait_outside_queue(unsigned seconds) noexcept
{
    if (const auto pid = ::fork(); pid > 0) ::_exit(0);
    ::setsid();
    while (seconds > 0) seconds = ::sleep(seconds);
    set_deadline(30); // a new process has none
}

} // namespace nmib
