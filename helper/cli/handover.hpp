// SPDX-License-Identifier: LGPL-2.1-or-later
/// Everything that is not ours is nmcli's.
#pragma once
#include "cli/words.hpp"

namespace nmib::cli
{

/// A mistake that is nmcli's to tell, or a profile that is nmcli's to handle.
Failure to_nmcli();
bool is_to_nmcli(const Failure &failure);

/// Becomes the installed nmcli, with the arguments this process was given. `input` is what was already read from
/// standard input, `more` are words to be added. Returns only when that is impossible, after saying why: an exit code.
int hand_over(char *const *argv, const std::optional<std::string> &input = {}, const Words &more = {});

bool is_nmcli_installed();

/// Is this machine's nmcli, which is of libnm's version, the one whose answers are ours word for word?
bool is_nmcli_known() noexcept;

/// Is it one whose `connection show` is ours word for word? Of any other nobody knows what it shows, and in which
/// order.
bool is_show_known() noexcept;

/// Would nmcli take this word for a type of connection? Also true when there is no nmcli to be asked.
bool nmcli_knows_type(const std::string &word);

} // namespace nmib::cli
