// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rows of `nm-ib host`: what is set by whom, what is in effect, what has to be done until the setting is.
#pragma once
#include <string>
#include <vector>

namespace nmib::cli
{

struct HostRow {
    std::string noun, setting, file;
    std::string effect{}, needs{};
    bool ours = false; ///< nm-ib host wrote the file
};
using HostRows = std::vector<HostRow>;

void add_memlock_rows(HostRows &rows);
void add_nfs_server_rows(HostRows &rows);
void add_module_rows(HostRows &rows);
void add_opensm_rows(HostRows &rows);

} // namespace nmib::cli
