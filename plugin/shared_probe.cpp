// SPDX-License-Identifier: GPL-2.0-or-later
#include "shared_probe.hpp"

#include "config.h"

namespace nmib
{

Result<Probe> &shared_probe()
{
    static Result<Probe> probe = Error{};
    if (!probe) probe = Probe::open({.sysfs = "/sys", .state = NMIB_STATE});
    return probe;
}

void renew_probe() { shared_probe() = Error{}; }

} // namespace nmib
