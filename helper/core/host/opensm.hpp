// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine on which opensm runs, and the partitions for profiles.
#pragma once
#include "core/host/file.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/plan/facts.hpp"

#include <span>
#include <vector>

namespace nmib
{

/// A drop-in of opensm.service that limits opensm to these ports. Without ports: only its path.
HostFile opensm_file(std::span<const Guid> ports);

/// The lines of opensm's partitions.conf that the profiles need (opensm(8), "PARTITION CONFIGURATION"), default
/// partition first. Empty if opensm's defaults without a file are enough.
std::vector<std::string> partition_lines(std::span<const Intent> profiles);

/// The value of `key` in opensm.conf; empty if absent.
std::string opensm_option(std::string_view conf, std::string_view key);

} // namespace nmib
