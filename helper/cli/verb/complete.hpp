// SPDX-License-Identifier: LGPL-2.1-or-later
/// nm-ib --complete-args WORD...: what the last word can become. Never asks the daemon.
#pragma once
#include "cli/base/options.hpp"

namespace nmib::cli
{

struct Completion {
    Words words;            ///< those that begin with the last word
    bool nmcli_too = false; ///< nmcli knows more
};

/// `words` are those behind --complete-args.
Completion complete(const Words &words);

} // namespace nmib::cli
