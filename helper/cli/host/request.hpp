// SPDX-License-Identifier: LGPL-2.1-or-later
/// What `nm-ib host NOUN` was asked for.
#pragma once
#include "cli/base/options.hpp"

namespace nmib::cli
{

struct HostRequest {
    Words words{}; ///< behind the noun, without options
    Options print{};
    bool json = false;
    bool dry_run = false;
    bool now = false;
};

using HostNoun = std::optional<Failure>(const HostRequest &);
HostNoun list_host, host_memlock, host_nfs_server, host_modules, host_opensm;

} // namespace nmib::cli
