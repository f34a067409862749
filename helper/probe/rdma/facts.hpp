// SPDX-License-Identifier: LGPL-2.1-or-later
/// The RDMA ports and virtual functions of one interface.
#pragma once
#include "core/rdma/plan.hpp"
#include "core/rdma/words.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

namespace nmib
{

/// Returns the ports that the interface belongs to: by IPoIB, by one of its GIDs, or as the interface under a software
/// device. Includes ports of interfaces below a VLAN or bond, because RDMA-CM uses the port that is active at the
/// moment. Without RDMA-CM's values (RoceValues): reading those needs writing, see apply/rdma/words.
RdmaFacts read_rdma_facts(const Dir &sysfs, const LinkRow &row);
/// Returns the interfaces below, at all levels: a VLAN's parent, a bond's ports.
std::vector<LinkRow> interfaces_below(const Dir &sysfs, const IfName &link);

/// Reads the virtual functions of the interface's port from the kernel; none without an answer.
std::vector<VfNow> read_vfs(const LinkRow &row);
/// Reads them from sysfs for mlx4 (drivers/infiniband/hw/mlx4/sysfs.c); none for other drivers.
std::vector<VfNow> read_admin_guids(const Dir &sysfs, const std::string &device, unsigned port,
                                    const std::string &interface);
/// Works like rdma_users in probe/base/rdma_netlink.
using RdmaUsers = std::function<std::optional<unsigned>(const std::string &device)>;
/// Fills `bound`, `in_use` and `read` of a virtual function. A function is idle only if all its interfaces are down and
/// no program has its RDMA device open.
void look_who_has_it(const Dir &sysfs, const std::string &port, const RdmaUsers &users, VfNow &vf);

/// Returns a GUID that is stable for machine, port and virtual function: a hash, marked as local (bit 1 of the first
/// byte) and not group (bit 0). `root` is /.
std::optional<Guid> automatic_guid(const Dir &root, Guid port, unsigned vf);
/// The same for a given machine ID.
Guid automatic_guid(std::string_view machine_id, Guid port, unsigned vf);

// The rdma.* words of a profile: /etc/nm-infiniband/profiles/<UUID of the profile>.

extern const char *const words_directory;

/// Reads the words; none without a file. Error: other users than root can write the file.
Result<RdmaWordsRead> read_rdma_words(const std::string &directory, const std::string &uuid);

} // namespace nmib
