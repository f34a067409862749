// SPDX-License-Identifier: LGPL-2.1-or-later
/// The NFS server's setting for RDMA, as nfs.conf(5) has it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// The port of NFS over RDMA (RFC 8267).
constexpr unsigned nfs_rdma_port = 20049;

/// The ports on which the server listens for RDMA (/proc/fs/nfsd/portlist), without duplicates.
std::vector<unsigned> rdma_listeners(std::string_view portlist);

/// The result of all files of nfs.conf(5), read in order.
class NfsSetting
{
public:
    /// Reads a file. Returns its RDMA settings, "rdma=y rdma-port=20049"; empty if there are none.
    std::string read(std::string_view conf);
    /// Returns true if the port depends on the name nfsrdma.
    bool by_name() const;
    /// The port for RDMA; nullopt if disabled. `has_name`: /etc/services has the name.
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
    std::string value(std::string_view option) const; ///< "rdma" of "proto=rdma"; empty if absent
    bool asks_rdma() const { return has("rdma") || value("proto").starts_with("rdma"); }
};
std::vector<MountLine> parse_mounts(std::string_view text);

} // namespace nmib
