// SPDX-License-Identifier: LGPL-2.1-or-later
/// The checksum in the head of a file that nm-ib writes. It finds a change by hand, not a forger.
#pragma once
#include <string>
#include <string_view>

namespace nmib
{

/// `head`, which is whole lines, a comment "# Checksum: 0x...", and `rest`.
std::string with_checksum(std::string_view head, std::string_view rest);
/// Whether a text is as with_checksum() made it.
bool checksum_holds(std::string_view text);

} // namespace nmib
