// SPDX-License-Identifier: LGPL-2.1-or-later
/// What is there of RDMA on one interface.
#pragma once
#include "core/rdma/plan.hpp"
#include "probe/dir.hpp"
#include "probe/rtnl.hpp"

namespace nmib
{

/// The ports that the interface belongs to: by IPoIB, by a GID of it, or as the interface that a software device was
/// made on. What RDMA-CM keeps of them (RoceValues) is left to apply/rdma/roce, since reading takes writing there.
RdmaFacts read_rdma_facts(const Dir &sysfs, const LinkRow &row);

/// The virtual functions of the interface's port, of an InfiniBand interface; without an answer none.
std::vector<VfNow> read_vfs(const Dir &sysfs, const LinkRow &row);

/// A GUID that stays for this machine, port and virtual function: of their hash, marked as given locally (bit 1 of the
/// first byte; not a group's, bit 0). `root` is /.
std::optional<Guid> automatic_guid(const Dir &root, Guid port, unsigned vf);
/// The same for a machine's id, for tests.
Guid automatic_guid(std::string_view machine_id, Guid port, unsigned vf);

} // namespace nmib
