// SPDX-License-Identifier: LGPL-2.1-or-later
/// Whether the NFS server of this machine listens for RDMA.
#pragma once
#include "core/host/file.hpp"

#include <vector>

namespace nmib
{

/// Assigned for NFS over RDMA (RFC 8267).
constexpr unsigned nfs_rdma_port = 20049;

/// `port` 0: TCP alone, whatever other files say.
HostFile nfs_server_file(unsigned port);
/// Where it would be.
HostFile nfs_server_place();

/// The ports it listens on for RDMA, of /proc/fs/nfsd/portlist; each once.
std::vector<unsigned> rdma_listeners(std::string_view portlist);

/// What a file of nfs.conf(5) says about RDMA, "rdma=y" and "rdma-port=20049"; empty for nothing.
std::string nfs_rdma_words(std::string_view conf);

} // namespace nmib
