// SPDX-License-Identifier: LGPL-2.1-or-later
/// What `nm-ib host NOUN` was asked for.
#pragma once
#include "cli/base/command.hpp"

namespace nmib::cli
{

struct HostRequest {
    Words words{}; ///< behind the noun, without options
    Options print{};
    bool json = false;
    bool dry_run = false;
    bool now = false;

    static HostRequest of(const Request &r)
    {
        return {.words = r.words,
                .print = r.print,
                .json = r.has("--json"),
                .dry_run = r.has("--dry-run"),
                .now = r.has("--now")};
    }
};

using HostNoun = std::optional<Failure>(const HostRequest &);
HostNoun list_host, host_memlock, host_nfs_server, host_modules, host_opensm;

} // namespace nmib::cli
