// SPDX-License-Identifier: LGPL-2.1-or-later
/// What is there of RDMA on one interface.
#pragma once
#include "core/rdma/plan.hpp"
#include "core/rdma/words.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

namespace nmib
{

/// The ports that the interface belongs to: by IPoIB, by a GID of it, or as the interface that a software device was
/// made on; and those of the interfaces below it, as a VLAN and a bond have them: RDMA-CM takes the port that is in use
/// at the moment. What RDMA-CM keeps of them (RoceValues) is left to apply/rdma/roce, since reading takes writing
/// there.
RdmaFacts read_rdma_facts(const Dir &sysfs, const LinkRow &row);
/// The interfaces below: a VLAN's parent, a bond's ports, what these are made of.
std::vector<LinkRow> interfaces_below(const Dir &sysfs, const IfName &link);

/// The virtual functions of the interface's port, as the kernel lists them; without an answer none.
std::vector<VfNow> read_vfs(const LinkRow &row);
/// The same of mlx4, which has them in sysfs (drivers/infiniband/hw/mlx4/sysfs.c); of others none.
std::vector<VfNow> read_admin_guids(const Dir &sysfs, const std::string &device, unsigned port,
                                    const std::string &interface);
/// As rdma_users in probe/rdma/netlink.
using RdmaUsers = std::function<std::optional<unsigned>(const std::string &device)>;
/// Fills `bound` and `in_use` of a function of the port with this interface. Only what is seen idle is not in use: all
/// interfaces down, and its RDMA device not open.
void look_who_has_it(const Dir &sysfs, const std::string &port, const RdmaUsers &users, VfNow &vf);

/// A GUID that stays for this machine, port and virtual function: of their hash, marked as given locally (bit 1 of the
/// first byte; not a group's, bit 0). `root` is /.
std::optional<Guid> automatic_guid(const Dir &root, Guid port, unsigned vf);
/// The same for a machine's id, for tests.
Guid automatic_guid(std::string_view machine_id, Guid port, unsigned vf);

// The rdma.* words of a profile: /etc/nm-infiniband/profiles/<UUID of the profile>.

/// The directory of this build.
extern const char *const words_directory;

/// No words where there is no such file. A file that another user than root can write is refused (Error).
Result<RdmaWordsRead> read_rdma_words(const std::string &directory, const std::string &uuid);

} // namespace nmib
