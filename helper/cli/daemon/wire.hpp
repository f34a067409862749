// SPDX-License-Identifier: LGPL-2.1-or-later
/// What is read of a D-Bus message without GIO, which makes an object of every string: thousands of them take longer
/// than everything else. Layout: the D-Bus specification, "Message Protocol".
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nmib::cli::wire
{

/// Which call a message answers, if it is an answer or an error, in the machine's own byte order and well formed.
std::optional<std::uint32_t> reply_serial(std::string_view message);
using Paths = std::vector<std::string_view>; ///< parts of the message
/// The body of an answer of type "ao"; nothing for any other message.
std::optional<Paths> object_paths(std::string_view message);
/// Whether it is a signal that tells the new values of properties, PropertiesChanged.
bool tells_properties(std::string_view message);
/// The value in such a signal that is of this property alone, of type "ao".
std::optional<Paths> object_paths(std::string_view message, std::string_view property);

} // namespace nmib::cli::wire
