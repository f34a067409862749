// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/nmcli/offline.hpp"

#include "cli/base/profile.hpp"

#include <cstdio>

namespace nmib::cli
{

Result<OfflineProfile> run_offline(const char *verb, const Words &words, const std::string &keyfile, bool any_type)
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
    const auto begin = run->out.starts_with('[') ? 0 : run->out.find("\n[") + 1; // behind what it says
    auto connection = parse_keyfile(run->out.substr(begin));
    if (!connection || !(any_type || nm_connection_is_type(connection->get(), "infiniband")))
        return Error{Error::Kind::io, _("Error: nmcli printed no InfiniBand profile. Nothing was saved.")};
    made.connection = std::move(*connection);
    made.said = run->out.substr(0, begin);
    made.complained = std::move(run->err);
    return made;
}

void pass_on(const OfflineProfile &made)
{
    // In the characters of the locale already.
    std::fputs(made.said.c_str(), stdout);
    std::fputs(made.complained.c_str(), stderr);
}

} // namespace nmib::cli
