// SPDX-License-Identifier: GPL-2.0-or-later
/// The administrator's policy. A change of the files needs no restart.
#pragma once
#include "core/plan/policy.hpp"

namespace nmib
{

/// Reads changed files. Logs each fault once, and again if it returns. The reference is valid until the next call.
const Policy &current_policy();

} // namespace nmib
