// SPDX-License-Identifier: LGPL-2.1-or-later
/// Asks at the terminal. Readline is loaded by the first question: most commands ask nothing, and it would be a
/// twentieth of their time.
#pragma once
#include <optional>
#include <string>

namespace nmib::cli
{
/// A line without its end; nothing when there is no more, or the user does not want to go on.
std::optional<std::string> read_line(const std::string &prompt);
/// What nmcli leaves on the terminal behind the last question, if there was one.
void end_reading();
} // namespace nmib::cli
