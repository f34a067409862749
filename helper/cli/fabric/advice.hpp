// SPDX-License-Identifier: LGPL-2.1-or-later
/// What nm-ib knows about InfiniBand and nmcli does not say.
#pragma once
#include "cli/daemon/profiles.hpp"
#include "cli/draft.hpp"

namespace nmib::cli
{

/// Parent, P_Key and interface-name belong together. Where the words given leave a profile that would be refused, the
/// two that were not given follow; the lines say what was done.
Words follow(Draft &draft);
/// One line for every part of these that NetworkManager accepts and that leads elsewhere. `connection` is the draft as
/// NetworkManager will have it. Nothing is changed.
Words advise_on_parts(const Draft &draft, NMConnection *connection);

/// One line for everything that will not go as the profile says. Nothing is changed. Offline there are no `profiles`.
Words advise(const Draft &draft, const Profiles *profiles, const Options &options);

/// Prints the lines as ours, on standard error; with `strict` they are the failure.
std::optional<Failure> tell(const Words &lines, bool strict);
void note(const std::string &line);

} // namespace nmib::cli
