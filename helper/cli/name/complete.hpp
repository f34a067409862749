// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the last word of `nm-ib name ...` can become.
#pragma once
#include "cli/base/options.hpp"

#include <span>

namespace nmib::cli
{

/// `words`: behind "name", the last one as far as it was typed. Never asks the daemon.
Words complete_name(std::span<const std::string> words);

} // namespace nmib::cli
