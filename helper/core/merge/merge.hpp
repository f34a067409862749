// SPDX-License-Identifier: LGPL-2.1-or-later
/// From what many hosts told to what no single one of them sees. No I/O.
#pragma once
#include "core/merge/host_report.hpp"
#include "core/merge/subnet.hpp"

#include <span>

namespace nmib
{

struct Merged {
    std::size_t hosts = 0, ports = 0; ///< that were compared
    std::vector<Trouble> troubles{};  ///< the most serious first
};

/// Of two files of one host and kind the last counts.
Merged merge(std::vector<HostReport> reports, Translate translate = untranslated);

/// Every kind of trouble that it can find.
std::vector<const Trouble::Kind *> merge_kinds();

namespace merging
{
/// Each says what it finds.
std::vector<Trouble> identity(const Fabric &fabric);
std::vector<Trouble> subnet(const Fabric &fabric);
std::vector<Trouble> partition(const Fabric &fabric);
std::vector<Trouble> card(const Fabric &fabric);
std::vector<Trouble> roce(const Fabric &fabric);
std::vector<Trouble> told(const Fabric &fabric);

extern const std::span<const Trouble::Kind> identity_kinds, subnet_kinds, partition_kinds, card_kinds, roce_kinds,
    told_kinds;
} // namespace merging

} // namespace nmib
