// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine, as profiles speak of them.
#pragma once
#include "core/hwaddr.hpp"

#include <string>

namespace nmib::cli
{

/// The interface of the port with the GUID in this hardware address; empty when it is not here. Null is no address.
std::string port_with(const char *address);
/// The hardware address of an InfiniBand interface.
std::optional<HwAddr> address_of(const std::string &interface);

} // namespace nmib::cli
