// SPDX-License-Identifier: GPL-2.0-or-later
#include "daemon_probe.hpp"

#include "config.h"

namespace nmib
{

Result<Probe> &daemon_probe()
{
    static Result<Probe> probe = Error{};
    if (!probe) probe = Probe::open({.sysfs = "/sys", .state = NMIB_STATE});
    return probe;
}

void renew_probe() { daemon_probe() = Error{}; }

} // namespace nmib
