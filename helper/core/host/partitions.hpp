// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the profiles of this machine ask of the partitions of a subnet manager, in the words of opensm's
/// partitions.conf (opensm(8), "PARTITION CONFIGURATION").
#pragma once
#include "core/host/file.hpp"
#include "core/intent.hpp"

#include <optional>
#include <span>
#include <vector>

namespace nmib
{

struct Partition {
    std::uint16_t number = 0; ///< of 15 bits, without membership
    unsigned ib_mtu = 0;      ///< bytes, of the broadcast group; 0: opensm's own, 2048
    bool ipoib = true;        ///< it has a broadcast group
};
constexpr std::uint16_t default_partition = 0x7fff;

/// By number, the default partition first; empty where what opensm does without a file is enough.
std::vector<Partition> wanted_partitions(std::span<const Intent> profiles);
/// "P8002=0x8002, ipoib, mtu=5, defmember=full : ALL;"
std::string partition_line(const Partition &partition);

/// Those that a partitions.conf has; what nobody can make sense of is left out.
std::vector<Partition> parse_partitions(std::string_view text);
/// Those of the wanted ones that `there` has not, or without a broadcast group, or with one of a smaller MTU.
std::vector<Partition> missing_partitions(std::span<const Partition> wanted, std::span<const Partition> there);

/// The value of `key` in an opensm.conf; empty without one.
std::string opensm_option(std::string_view conf, std::string_view key);
/// The word behind an option in the command line of a unit, as systemctl shows it ("-P" or "--Pconfig"); empty without.
std::string command_option(std::string_view exec_start, std::string_view shorter, std::string_view longer);

/// opensm reads one file, and knows no include: it is whole or not there. Without partitions there is none.
HostFile partitions_file(const std::string &path, std::span<const Partition> partitions, std::string_view command);

} // namespace nmib
