// SPDX-License-Identifier: LGPL-2.1-or-later
/// What nm-ib knows about InfiniBand and nmcli does not say.
#pragma once
#include "cli/connection/draft.hpp"
#include "cli/daemon/profiles.hpp"

namespace nmib::cli
{

struct Advice {
    Words warnings{}; ///< what will not go as the profile says
    Words notes{};    ///< what quirks do anyway
};

/// Nothing is changed. Offline there are no `profiles`.
Advice advise(const Draft &draft, const Profiles *profiles, const Options &options);

/// Prints it as ours, on standard error; with `strict` the warnings are the failure.
std::optional<Failure> tell(const Advice &advice, bool strict);

} // namespace nmib::cli
