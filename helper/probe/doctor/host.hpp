// SPDX-License-Identifier: LGPL-2.1-or-later
/// The kernel's log.
#pragma once
#include "core/base/result.hpp"
#include "core/doctor/host.hpp"
#include "probe/base/dir.hpp"

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace nmib
{

// Files of other tools that speak of InfiniBand interfaces, and are not read as their author thinks.

/// @param etc, proc, usr /etc, /proc and /usr
/// @param interfaces IPoIB interfaces
/// @param loaded the files that NetworkManager has profiles of
std::vector<StrayFile> stray_files(const Dir &etc, const Dir &proc, const Dir &usr,
                                   const std::set<std::string> &interfaces, const std::set<std::string> &loaded);

/// A record of /dev/kmsg (Documentation/ABI/testing/dev-kmsg); nothing where it is none.
std::optional<KernelLine> parse_kernel_record(std::string_view record);

/// All that the kernel still has of it. An ordinary user may be refused (kernel.dmesg_restrict).
Result<std::vector<KernelLine>> read_kernel_log();

// What SELinux does on this machine. The label of a file is read without libselinux, which not every machine has.

/// Whether it denies what its policy does not allow (/sys/fs/selinux/enforce); also where that cannot be read for a
/// denial.
bool selinux_enforces();

/// The type in a file's label ("bin_t" of "system_u:object_r:bin_t:s0"; xattr(7), security.selinux); empty without one.
std::string selinux_type(const std::string &path);

// The IPv4 networks that interfaces are in.

/// Of these interfaces. `proc` is /proc; what cannot be read of a setting there counts as the kernel's default.
Result<std::vector<IpNetwork>> read_networks(const Dir &proc, std::span<const std::string> interfaces);

} // namespace nmib
