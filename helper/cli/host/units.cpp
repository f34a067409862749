// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/units.hpp"

#include "cli/base/process.hpp"

#include <unistd.h>

namespace nmib::cli
{

std::string unit_property(const std::string &unit, const char *property)
{
    const auto run = run_for({"/usr/bin/systemctl", "show", "-P", property, "--", unit}, 10);
    return run && run->code == 0 ? strip(run->out) : std::string();
}

bool has_unit_file(const std::string &name)
{
    for (const std::string place : {"/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"})
        if (::access((place + "/systemd/system/" + name).c_str(), F_OK) == 0) return true;
    return false;
}

} // namespace nmib::cli
