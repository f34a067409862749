// SPDX-License-Identifier: LGPL-2.1-or-later
/// Runs the installed nmcli, which does everything outside of InfiniBand.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/base/process.hpp"

#include <NetworkManager.h>

namespace nmib::cli
{

/// Returns the path of nmcli; null if not installed. Ignores PATH: an nmcli there may be nm-ib.
const char *find_nmcli();

Failure no_nmcli();
/// Replaces this process by nmcli. `input`: standard input, if already read. Returns only on failure.
Failure become_nmcli(const Words &words, const std::optional<std::string> &input = {});

/// Runs nmcli for at most ten seconds. Failure: nmcli cannot run, runs longer, or ends by a signal.
Result<ProgramRun, Failure> run_nmcli(const Words &words, const std::string &input = {});

/// A profile that nmcli made or changed without the daemon.
struct OfflineProfile {
    Object<NMConnection> connection; ///< null if nmcli refuses
    std::string out, err;            ///< nmcli's messages on standard output and standard error
    Failure refusal{};               ///< of nmcli, if the connection is null
};

/// Runs `nmcli --offline connection VERB WORDS`. `keyfile`: the profile to change. Failure: nmcli cannot
/// run, or printed no InfiniBand profile (with `any_type`: no profile).
Result<OfflineProfile, Failure> run_offline(const char *verb, const Words &words, const std::string &keyfile = {},
                                            bool any_type = false);

void pass_on(const OfflineProfile &made);

} // namespace nmib::cli
