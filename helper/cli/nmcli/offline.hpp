// SPDX-License-Identifier: LGPL-2.1-or-later
/// An InfiniBand profile that nmcli makes or changes without the daemon.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/nmcli/nmcli.hpp"

#include <NetworkManager.h>

namespace nmib::cli
{

struct OfflineProfile {
    Object<NMConnection> connection; ///< null where nmcli refuses
    std::string said, complained;    ///< ahead of it, on standard output and on standard error
    Failure refusal{};               ///< what nmcli says then
};

/// `nmcli --offline connection VERB WORDS`, with the profile that is to be changed on standard input. An Error, with
/// the line for standard error, when nothing useful comes back: only a profile of InfiniBand is, but for `any_type`.
Result<OfflineProfile> run_offline(const char *verb, const Words &words, const std::string &keyfile = {},
                                   bool any_type = false);

/// Prints what nmcli said of the profile.
void pass_on(const OfflineProfile &made);

} // namespace nmib::cli
