// SPDX-License-Identifier: LGPL-2.1-or-later
/// Gateways that no address and no route of a profile reaches; NetworkManager 1.58 and its nmcli warn of them.
#pragma once
#include "cli/base/words.hpp"

#include <NetworkManager.h>

namespace nmib::cli
{

/// Those of IPv4 and IPv6, as far as the addresses are set by hand (nm-libnm-core-utils.c). What says "onlink" is
/// reached, and so is a link-local address. Sorted, each once.
Words unreachable_gateways(NMConnection *connection);

} // namespace nmib::cli
