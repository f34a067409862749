// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which ports of which hosts belong together.
#pragma once
#include "core/doctor/merge.hpp"
#include "core/doctor/merge_difference.hpp"

namespace nmib::merging
{

/// A port, of a card, of a host.
struct PortOf {
    std::string host{}; ///< how to call it: its name, with the file where two hosts have one name
    const RdmaDevice *device = nullptr;
    const RdmaPort *port = nullptr;
    std::string str() const { return host + " " + device->label(*port); }
};

/// Active ports with one subnet prefix; where it is the default one, also with one SM LID.
struct Subnet {
    std::uint64_t prefix = 0;
    unsigned sm_lid = 0;         ///< of the first port
    std::vector<PortOf> ports{}; ///< in the order of the hosts
    /// Two cards' ports that have one LID: these are several fabrics that look alike, and nothing tells which port is
    /// in which. What would be compared in one subnet is not.
    std::optional<std::pair<PortOf, PortOf>> alike{};
    std::string str() const; ///< "0xfe80000000000000 (SM LID 1)"
};

std::vector<Subnet> subnets_of(const std::vector<PortOf> &ports);

/// Those whose ports have to agree on the subnet manager: with a prefix of its own each subnet; with the default one
/// the largest, and what may be another part of that fabric.
std::vector<const Subnet *> with_one_manager(const std::vector<Subnet> &subnets);

} // namespace nmib::merging
