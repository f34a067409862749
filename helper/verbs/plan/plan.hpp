// SPDX-License-Identifier: LGPL-2.1-or-later
/// The verbs `nm-ib plan` and `nm-ib apply`.
#pragma once
#include "terminal/request.hpp"

namespace nmib::cli
{

OwnVerb plan_machine, apply_now;

} // namespace nmib::cli
