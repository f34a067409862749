// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which .link file udev applies to the interface of a port (systemd 252, net-condition.c and link-config.c).
#pragma once
#include "core/link_file/link_config.hpp"
#include "core/link_file/port_identity.hpp"

#include <span>

namespace nmib
{

/// Whether udev applies something to an interface. `perhaps`: it depends on what is not looked at here.
enum class Verdict { no, perhaps, yes };
Verdict matches(const LinkConfig &config, const PortIdentity &port);

/// The first of `configs`, which are in udev's order, that matches a port for sure; and those in front of it that may.
struct Winner {
    const LinkConfig *sure = nullptr;
    std::vector<const LinkConfig *> before{};
};
Winner winner(std::span<const LinkConfig> configs, const PortIdentity &port);

} // namespace nmib
