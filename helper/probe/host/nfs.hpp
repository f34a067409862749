// SPDX-License-Identifier: LGPL-2.1-or-later
/// NFS over RDMA, as it is set and as it is.
#pragma once
#include "core/doctor/host.hpp"
#include "probe/base/dir.hpp"

namespace nmib
{

/// `etc` and `proc`: /etc and /proc.
NfsServer read_nfs_server(const Dir &etc, const Dir &proc);
/// What fstab asks for with RDMA, and what is mounted so.
std::vector<NfsMount> read_nfs_mounts(const Dir &etc, const Dir &proc);

} // namespace nmib
