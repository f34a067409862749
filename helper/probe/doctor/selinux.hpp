// SPDX-License-Identifier: LGPL-2.1-or-later
/// What SELinux does on this machine. The label of a file is read without libselinux, which not every machine has.
#pragma once
#include <string>

namespace nmib
{

/// Whether it denies what its policy does not allow (/sys/fs/selinux/enforce); also where that cannot be read for a
/// denial.
bool selinux_enforces();

/// The type in a file's label ("bin_t" of "system_u:object_r:bin_t:s0"; xattr(7), security.selinux); empty without one.
std::string selinux_type(const std::string &path);

} // namespace nmib
