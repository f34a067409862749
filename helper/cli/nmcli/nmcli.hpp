// SPDX-License-Identifier: LGPL-2.1-or-later
/// The installed nmcli: it parses, shows and asks. Everything that is not InfiniBand's is its.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/base/process.hpp"

#include <NetworkManager.h>

namespace nmib::cli
{

/// Its path; null when it is not installed. PATH is not asked: nm-ib may be found there under the name nmcli.
const char *find_nmcli();

/// That it is not installed.
Failure no_nmcli();
/// Becomes nmcli, which reads `input` where it was read already. Returns only when that is impossible: why.
Failure become_nmcli(const Words &words, const std::optional<std::string> &input = {});

/// Runs nmcli with these words and this input, for at most ten seconds. An Error, with the line for standard error,
/// when it cannot be run, hangs, or is ended by a signal.
Result<ProgramRun> run_nmcli(const Words &words, const std::string &input = {});

// An InfiniBand profile that nmcli makes or changes without the daemon.

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
