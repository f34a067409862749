// SPDX-License-Identifier: LGPL-2.1-or-later
/// Questions.
#pragma once

namespace nmib::cli
{

/// Whether there is a terminal to ask at.
bool can_ask() noexcept;
/// Asks "QUESTION [y/N] " and reads a line. Without a terminal the answer is no.
bool agrees(const char *question);

} // namespace nmib::cli
