// SPDX-License-Identifier: LGPL-2.1-or-later
/// What `nm-ib name VERB` was asked for.
#pragma once
#include "cli/base/options.hpp"

namespace nmib::cli
{

struct NameRequest {
    enum class Match { automatic, guid, path };

    Words words{}; ///< PORT and NAME
    Options print{};
    bool json = false;
    bool dry_run = false;
    bool yes = false;
    bool force = false;
    bool now = false;
    bool keep_old_name = false;
    bool initramfs = true;
    Match match = Match::automatic;
};

} // namespace nmib::cli
