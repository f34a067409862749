// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/plan/mode.hpp"

#include "apply/base/file.hpp"
#include "apply/plan/link.hpp"

#include <cstdint>

namespace nmib
{

namespace
{
bool is_mode(const Dir &net, TransportMode mode) { return net.line("mode") == name(mode); }
} // namespace

Result<void> set_mode(const Sysfs &sysfs, const IfName &link, int ifindex, TransportMode mode)
{
    const auto where = link.str() + ": transport mode " + std::string(name(mode));
    const auto net = sysfs.root().sub("class/net/" + link.str());
    if (!net) return net.error();
    if (net->decimal("ifindex", INT32_MAX) != static_cast<std::uint64_t>(ifindex))
        return Error{Error::Kind::absent, where + ": the interface has changed meanwhile"};
    const auto written = write_value(*net, "mode", std::string(name(mode)) + "\n", where);
    if (is_mode(*net, mode)) return {};
    if (written) return Error{Error::Kind::refused, where + ": the kernel keeps the other one"};
    auto error = written.error();
    if (error.kind != Error::Kind::denied) error.kind = Error::Kind::refused;
    return error;
}

Result<void> set_mode_before_use(const Sysfs &sysfs, Rtnl &rtnl, const IfName &link, int ifindex, TransportMode mode)
{
    auto set = set_mode(sysfs, link, ifindex, mode);
    if (set || set.error().kind != Error::Kind::refused) return set;
    if (const auto row = rtnl.link(ifindex); !row || !row->up) return set;
    if (auto down = set_up(rtnl, ifindex, false); !down) return down;
    set = set_mode(sysfs, link, ifindex, mode);
    auto up = set_up(rtnl, ifindex, true);
    return set ? up : set;
}

} // namespace nmib
