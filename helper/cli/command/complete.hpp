// SPDX-License-Identifier: LGPL-2.1-or-later
/// nm-ib --complete-args WORD...: what the last word can become: nmcli's answer, and ours.
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// `words` are those behind --complete-args. The exit code is nmcli's.
int print_completion(const Words &words);

} // namespace nmib::cli
