// SPDX-License-Identifier: LGPL-2.1-or-later
/// How kernel and NetworkManager name a P_Key child. They differ once the parent's name has more than ten characters.
#pragma once
#include "core/ib/ifname.hpp"
#include "core/ib/pkey.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace nmib
{

/// The longest parent name for which kernel and NetworkManager agree.
constexpr std::size_t parent_name_limit = 10;

/// What the kernel makes of `create_child`: "%.10s.%04x", the key as it was written (ipoib_vlan.c, since Linux 6.1.93).
std::optional<IfName> kernel_child_name(const IfName &parent, std::uint16_t key_as_written);

/// What NetworkManager looks for afterwards: "%s.%04x", cut at 15 (nm-platform-utils.c, nmp_utils_new_infiniband_name).
/// With a parent of 15 characters that is the parent's own name.
std::optional<IfName> nm_child_name(const IfName &parent, std::uint16_t key_as_written);

/// Is it written as both name a child: a dot and four hexadecimal digits at the end?
bool is_child_name(std::string_view name) noexcept;

/// Is that child what became of one that NetworkManager calls `wanted`, whole or cut at 15, and cannot find, since the
/// kernel shortens the name otherwise?
bool is_misnamed(const IfName &child, const IfName &parent, PKey key, std::string_view wanted);

} // namespace nmib
