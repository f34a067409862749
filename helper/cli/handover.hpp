// SPDX-License-Identifier: LGPL-2.1-or-later
/// Everything that is not ours is nmcli's.
#pragma once
#include <optional>
#include <string>

namespace nmib::cli
{

/// Becomes the installed nmcli, with the arguments this process was given. `input` is what was already read from
/// standard input. Returns only when that is impossible, after saying why: an exit code.
int hand_over(char *const *argv, const std::optional<std::string> &input = {});

} // namespace nmib::cli
