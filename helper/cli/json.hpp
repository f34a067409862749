// SPDX-License-Identifier: LGPL-2.1-or-later
/// Writes JSON (RFC 8259): text in UTF-8, stray bytes as they are printed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace nmib::cli::json
{

std::string quoted(std::string_view text);
/// {"key": value}; the values are JSON already.
std::string object(const std::vector<std::pair<std::string_view, std::string>> &members);
std::string array(const std::vector<std::string> &values);

} // namespace nmib::cli::json
