// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine on which a subnet manager runs, and what profiles ask of its partitions.
#pragma once
#include "core/host/file.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/plan/facts.hpp"

#include <span>
#include <vector>

namespace nmib
{

/// A drop-in of opensm.service: no subnet manager runs on other ports. Without ports: where the file would be.
HostFile opensm_file(std::span<const Guid> ports);

/// The lines of opensm's partitions.conf for the partitions that these profiles ask for (opensm(8), "PARTITION
/// CONFIGURATION"), the default partition first; none where what opensm does without a file is enough.
std::vector<std::string> partition_lines(std::span<const Intent> profiles);

/// The value of `key` in an opensm.conf; empty without one.
std::string opensm_option(std::string_view conf, std::string_view key);

} // namespace nmib
