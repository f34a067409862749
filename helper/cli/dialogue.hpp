// SPDX-License-Identifier: LGPL-2.1-or-later
/// --ask: what was not given on the command line is asked for, with nmcli's prompts.
#pragma once
#include "cli/draft.hpp"

namespace nmib::cli
{

/// Asks until the answer is a type. One that is not ours is left to nmcli, as the words it is to be told.
std::optional<Failure> ask_type(Draft &draft, Words &for_nmcli);
/// Asks for the options of the next setting that has some left; false when none has.
bool ask_next(Draft &draft);

} // namespace nmib::cli
