// SPDX-License-Identifier: LGPL-2.1-or-later
/// Whether the NFS server of this machine listens for RDMA.
#pragma once
#include "core/host/file.hpp"

#include <optional>
#include <vector>

namespace nmib
{

/// Assigned for NFS over RDMA (RFC 8267).
constexpr unsigned nfs_rdma_port = 20049;

/// `port` 0: TCP alone, whatever other files say. Nothing: where the file would be.
HostFile nfs_server_file(std::optional<unsigned> port);

/// The ports it listens on for RDMA, of /proc/fs/nfsd/portlist; each once.
std::vector<unsigned> rdma_listeners(std::string_view portlist);

/// What all files of nfs.conf(5) come to, read in order.
class NfsSetting
{
public:
    /// What the file says about RDMA, "rdma=y rdma-port=20049"; empty for nothing.
    std::string read(std::string_view conf);
    /// It listens by the name nfsrdma, and not by a number.
    bool by_name() const;
    /// Nothing: not for RDMA. `has_name`: /etc/services has the name.
    std::optional<unsigned> port(bool has_name) const;

private:
    std::string rdma_{}, port_{};
};

/// A line of fstab(5) or /proc/self/mounts.
struct MountLine {
    std::string what{}, where{}, type{};
    std::vector<std::string> options{};

    bool is_nfs() const { return type == "nfs" || type == "nfs4"; }
    bool has(std::string_view option) const;
    std::string value(std::string_view option) const; ///< "rdma" of "proto=rdma"; empty without
    bool asks_rdma() const { return has("rdma") || value("proto").starts_with("rdma"); }
};
std::vector<MountLine> parse_mounts(std::string_view text);

} // namespace nmib
