// SPDX-License-Identifier: LGPL-2.1-or-later
/// NFS over RDMA: configured and in effect.
#pragma once
#include "core/doctor/host.hpp"
#include "probe/base/dir.hpp"

namespace nmib
{

/// `etc` and `proc`: /etc and /proc.
NfsServer read_nfs_server(const Dir &etc, const Dir &proc);
/// Returns the RDMA mounts in fstab, and the active ones.
std::vector<NfsMount> read_nfs_mounts(const Dir &etc, const Dir &proc);

} // namespace nmib
