// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the dispatcher helper gives up before it looks at anything from outside.
#pragma once
#include "core/result.hpp"

namespace nmib
{

/// Keeps CAP_NET_ADMIN and nothing else, for good: no program that is started gets more. Files are then reached by
/// their owner, root, alone.
Result<void> confine();

/// After so many seconds the process says so in one line and ends; NetworkManager itself would wait 600.
void set_deadline(unsigned seconds) noexcept;

} // namespace nmib
