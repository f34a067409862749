// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which .link file udev applies to the interface of a port (systemd 252, net-condition.c and link-config.c).
/// udevadm test-builtin net_setup_link knows better, but systemd before 255 applies the file meanwhile.
#pragma once
#include "core/name/link_config.hpp"
#include "core/name/port_identity.hpp"

#include <functional>
#include <span>

namespace nmib
{

/// Whether udev applies something to an interface. `perhaps`: it depends on what is not looked at here.
enum class Verdict { no, perhaps, yes };
Verdict matches(const LinkConfig &config, const PortIdentity &port);

/// Whether a condition on the interface's name holds when the interface appears. The kernel's name is ib<N>; once the
/// interface has another name, N is not known.
Verdict original_name_holds(const PortIdentity &port, const std::function<bool(const std::string &)> &holds);

/// The first of `configs`, which are in udev's order, that matches a port for sure; null when none does.
const LinkConfig *winner(std::span<const LinkConfig> configs, const PortIdentity &port);

} // namespace nmib
