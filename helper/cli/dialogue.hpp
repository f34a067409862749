// SPDX-License-Identifier: LGPL-2.1-or-later
/// --ask: what was not given on the command line is asked for, with nmcli's prompts.
#pragma once
#include "cli/draft.hpp"

namespace nmib::cli
{

/// Asks for the options of the next setting that has some left; false when none has.
bool ask_next(Draft &draft);

} // namespace nmib::cli
