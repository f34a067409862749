// SPDX-License-Identifier: LGPL-2.1-or-later
/// nmcli's help, and below it what nm-ib has beyond.
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// Does a word behind this verb ask for help? The verbs of nmcli take an abbreviation.
bool wants_help(std::string_view verb, const std::string &word);
/// For a verb, or of everything.
std::optional<Failure> print_help(std::string_view verb = {});
std::optional<Failure> print_version();

} // namespace nmib::cli
