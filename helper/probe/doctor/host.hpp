// SPDX-License-Identifier: LGPL-2.1-or-later
/// Facts of the machine for nm-ib doctor: files of other tools, the kernel's log, SELinux, IPv4 networks.
#pragma once
#include "core/base/result.hpp"
#include "core/doctor/host.hpp"
#include "core/doctor/known_fault.hpp"
#include "probe/base/dir.hpp"

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace nmib
{

// Files of other tools about InfiniBand interfaces, which are not read as their author expects.

/// @param etc, proc, usr /etc, /proc and /usr
/// @param interfaces IPoIB interfaces
/// @param loaded files of NetworkManager's profiles
std::vector<StrayFile> stray_files(const Dir &etc, const Dir &proc, const Dir &usr,
                                   const std::set<std::string> &interfaces, const std::set<std::string> &loaded);

/// Parses a record of /dev/kmsg (Documentation/ABI/testing/dev-kmsg).
std::optional<KernelLine> parse_kernel_record(std::string_view record);

/// Reads the kernel's log buffer. An ordinary user may be refused (kernel.dmesg_restrict).
Result<std::vector<KernelLine>> read_kernel_log();

// SELinux, without libselinux, which some machines lack.

/// Returns the installed tools, with their versions. `root` is /.
std::vector<Tool> read_tools(const Dir &root, std::span<const KnownTool> known);

/// Returns the container that this process is in: "podman", "docker" or systemd's name; empty: none. `root` is /.
std::string container_of(const Dir &root);

/// Returns true if SELinux enforces its policy (/sys/fs/selinux/enforce), or denies reading that.
bool selinux_enforces();

/// Returns the type in a file's label (xattr(7), security.selinux): "bin_t" in "system_u:object_r:bin_t:s0"; or empty.
std::string selinux_type(const std::string &path);

/// Returns the IPv4 networks of these interfaces. `proc` is /proc; unreadable settings count as the kernel's defaults.
Result<std::vector<IpNetwork>> read_networks(const Dir &proc, std::span<const std::string> interfaces);

} // namespace nmib
