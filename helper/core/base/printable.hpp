// SPDX-License-Identifier: LGPL-2.1-or-later
/// Text from outside, made fit for one line of a log or a terminal.
#pragma once
#include <string>
#include <string_view>

namespace nmib
{

/// Valid UTF-8 stays; control characters (C0, DEL, C1) and stray bytes become \xNN, so no line is broken and no
/// terminal is driven.
std::string printable(std::string_view text);

} // namespace nmib
