// SPDX-License-Identifier: GPL-2.0-or-later
/// The administrator's policy as the files are now: a change needs no restart.
#pragma once
#include "core/plan/policy.hpp"

namespace nmib
{

/// What was left out of it is logged once, and again when it was mended in between. Valid until the next call.
const Policy &current_policy();

} // namespace nmib
