// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine, as profiles speak of them.
#pragma once
#include "probe/base/rtnl.hpp"

#include <string>

namespace nmib::cli
{

/// The interface of the port with the GUID in this hardware address.
std::optional<IfName> port_with(Rtnl &rtnl, const HwAddr &address);
/// The hardware address of an InfiniBand interface.
std::optional<HwAddr> address_of(const std::string &interface);

} // namespace nmib::cli
