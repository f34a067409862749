// SPDX-License-Identifier: LGPL-2.1-or-later
/// Files that a user names.
#pragma once
#include "core/base/result.hpp"

#include <string>

namespace nmib::cli
{

/// Reads a file, a pipe or, for "-", standard input. At most 16 MiB.
Result<std::string> read_input(const std::string &file);
/// Returns the file's name for messages.
std::string label_of_input(const std::string &file);

} // namespace nmib::cli
