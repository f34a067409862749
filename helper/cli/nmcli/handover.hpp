// SPDX-License-Identifier: LGPL-2.1-or-later
/// Everything that is not ours is nmcli's.
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// A mistake that is nmcli's to tell, or a profile that is nmcli's to handle.
Failure to_nmcli();
bool is_to_nmcli(const Failure &failure);

/// Becomes the installed nmcli, with the arguments this process was given. `input` is what was already read from
/// standard input, `more` are words to be added. Returns only when that is impossible, after saying why: an exit code.
int hand_over(char *const *argv, const std::optional<std::string> &input = {}, const Words &more = {});

bool is_nmcli_installed();

/// Would nmcli take this word for a type of connection? Also true when there is no nmcli to be asked.
bool nmcli_knows_type(const std::string &word);

} // namespace nmib::cli
