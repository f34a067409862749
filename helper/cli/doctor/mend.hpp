// SPDX-License-Identifier: LGPL-2.1-or-later
/// Runs the commands that mend.
#pragma once
#include "cli/base/words.hpp"
#include "core/diagnose/trouble.hpp"

#include <span>

namespace nmib::cli
{

/// The troubles with a command of ours, of these ids or, for none, of all; shows the commands, asks, and runs them.
/// True when some were run, so that the machine is to be looked at again.
Result<bool> mend(std::span<const Trouble> all, const Words &ids, bool yes);

} // namespace nmib::cli
