// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which NetworkManager is about to start.
#pragma once
#include "core/base/result.hpp"

#include <string>

namespace nmib
{

/// What `NetworkManager --version` prints, fit to be the name of a directory: at most 64 printable characters of ASCII
/// without a space or a slash, the first a digit. "1.42.4", or, where a distribution sets -Ddist_version,
/// "1.48.10-5.el9_5".
bool is_version(const std::string &text) noexcept;

/// Asks the daemon's binary for its version (NetworkManager --version). It may be silent for 30 s, and take 30 s
/// more to end. An answer that is no version is an Error.
Result<std::string> ask_version(const std::string &binary);

} // namespace nmib
