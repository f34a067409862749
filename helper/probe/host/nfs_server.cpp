// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/host/nfs_server.hpp"

#include "core/host/nfs_server.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
constexpr std::size_t longest = 1U << 20;

void add_file(const std::string &path, const std::string &text, NfsServer &server, NfsSetting &setting)
{
    const auto words = setting.read(text);
    if (!words.empty()) server.files.push_back({path, words});
}
} // namespace

NfsServer read_nfs_server(const Dir &etc, const Dir &proc)
{
    NfsServer server;
    NfsSetting setting;
    if (const auto text = etc.read("nfs.conf", longest)) add_file(etc.path() + "/nfs.conf", *text, server, setting);
    for (const auto &name : etc.names("nfs.conf.d"))
        if (const auto text = etc.read("nfs.conf.d/" + name, longest); text && name.ends_with(".conf"))
            add_file(etc.path() + "/nfs.conf.d/" + name, *text, server, setting);
    const auto services = etc.read("services", longest);
    const bool has_name = services && services->find("\nnfsrdma") != services->npos;
    if (const auto port = setting.port(has_name)) server.wanted = {*port};
    server.name_unknown = setting.by_name() && !has_name;
    if (const auto text = proc.read("fs/nfsd/portlist", longest)) {
        server.listeners = rdma_listeners(*text);
        server.runs = !text->empty();
    }
    return server;
}

std::vector<NfsMount> read_nfs_mounts(const Dir &etc, const Dir &proc)
{
    std::vector<NfsMount> all;
    const auto fstab = etc.read("fstab", longest), mounts = proc.read("self/mounts", longest);
    for (const auto &line : fstab ? parse_mounts(*fstab) : std::vector<MountLine>{})
        if (line.is_nfs() && line.asks_rdma())
            all.push_back({.what = line.what,
                           .where = line.where,
                           .in_fstab = true,
                           .automatic = !line.has("noauto") && !line.has("x-systemd.automount")});
    for (const auto &line : mounts ? parse_mounts(*mounts) : std::vector<MountLine>{}) {
        if (!line.is_nfs()) continue;
        const auto it = std::find_if(all.begin(), all.end(), [&](const NfsMount &m) { return m.where == line.where; });
        const bool over_rdma = line.value("proto").starts_with("rdma");
        if (it != all.end())
            it->mounted = true, it->over_rdma = over_rdma;
        else if (over_rdma)
            all.push_back({.what = line.what, .where = line.where, .mounted = true, .over_rdma = true});
    }
    return all;
}

} // namespace nmib
