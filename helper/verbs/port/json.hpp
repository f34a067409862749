// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports as JSON. The output for people is made from it.
#pragma once
#include "terminal/json_fwd.hpp"
#include "verbs/port/inventory.hpp"

namespace nmib::cli
{

Json json_of(const Inventory &all);

} // namespace nmib::cli
