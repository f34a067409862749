// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/host/limits.hpp"
#include "cli/host/rows.hpp"
#include "core/host/nfs_server.hpp"
#include "core/translate.hpp"
#include "probe/host/nfs.hpp"

namespace nmib::cli
{

void add_nfs_server_rows(HostRows &rows)
{
    const auto proc = Dir::open("/proc"), etc = Dir::open("/etc");
    if (!proc || !etc) return;
    const auto state = read_nfs_server(*etc, *proc);
    Words now;
    for (const auto port : state.listeners) now.push_back("rdma " + std::to_string(port));
    const auto effect = join(now, ", ");
    for (const auto &file : state.files) {
        HostRow row{"nfs-server", file.words, file.path, effect, {}, file.ours};
        const auto &last = state.files.back();
        if (file.ours && &file != &last)
            row.needs = form(_("%s comes behind it, and counts"), last.path.c_str());
        else if (&file == &last && state.runs && state.listeners != state.wanted)
            row.needs = state.name_unknown ? "nm-ib host nfs-server rdma --now" : "systemctl restart nfs-server";
        rows.push_back(std::move(row));
    }
    if (state.files.empty() && !effect.empty()) rows.push_back({"nfs-server", {}, {}, effect, {}, false});
}

} // namespace nmib::cli
