// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/offline_profile.hpp"

#include "core/base/text.hpp"

#include <cstdio>

namespace nmib::cli
{

Result<OfflineProfile, Failure> run_offline(const char *verb, const Words &words, const std::string &keyfile,
                                            bool any_type)
{
    Words all{"--offline", "connection", verb};
    all.insert(all.end(), words.begin(), words.end());
    auto run = run_nmcli(all, keyfile);
    if (!run) return run.error();
    OfflineProfile made;
    if (run->code != 0) {
        made.refusal = {run->code, std::string(trim(run->err))};
        return made;
    }
    const auto begin = run->out.starts_with('[') ? 0 : run->out.find("\n[") + 1; // after nmcli's messages
    auto connection = parse_keyfile(run->out.substr(begin));
    if (!connection || !(any_type || nm_connection_is_type(connection->get(), "infiniband")))
        return Failure{exit_failed, _("Error: nmcli printed no InfiniBand profile. Nothing was saved.")};
    made.connection = std::move(*connection);
    made.out = run->out.substr(0, begin);
    made.err = std::move(run->err);
    return made;
}

void pass_on(const OfflineProfile &made)
{
    // Not print(): the messages are already in the locale's encoding.
    std::fputs(made.out.c_str(), stdout);
    std::fputs(made.err.c_str(), stderr);
}

} // namespace nmib::cli
