// SPDX-License-Identifier: LGPL-2.1-or-later
/// Profiles that the installed nmcli makes or changes without the daemon.
#pragma once
#include "nm/nmcli.hpp"
#include "nm/profile.hpp"

namespace nmib::cli
{

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
