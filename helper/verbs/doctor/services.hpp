// SPDX-License-Identifier: LGPL-2.1-or-later
/// Reads the state of programs and services for `nm-ib doctor`.
#pragma once
#include "core/doctor/diagnose.hpp"
#include "verbs/port/inventory.hpp"

namespace nmib::cli
{

/// Reads the state of programs and services. Null `daemon`: only what does not need NetworkManager.
Services look_at_services(const Daemon *daemon, const Inventory &all);

} // namespace nmib::cli
