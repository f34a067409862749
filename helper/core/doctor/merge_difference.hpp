// SPDX-License-Identifier: LGPL-2.1-or-later
/// What hosts have in common, and what not.
#pragma once
#include "core/base/message.hpp"
#include "core/doctor/merge.hpp"

#include <map>
#include <string>
#include <vector>

namespace nmib::merging
{

using Names = std::vector<std::string>;

/// "login, node[001-098,100] and 3 more"
std::string listed(const Names &names, Translate translate);

/// Adds a name that is not the last already: what a host has comes in one piece.
void add_name(Names &names, const std::string &name);

/// The values of one field, each with the hosts that have it.
class Differing
{
public:
    void add(const std::string &value, const std::string &host) { add_name(hosts_[value], host); }
    /// Two hosts have two values. That one host has two says nothing of others.
    bool between_hosts() const;
    /// The values, that of the fewest hosts first: "2044: node3; 4092: node[1-2,4-99]".
    std::string text(Translate translate) const;
    /// The hosts that have another value than most; where none has most, all of them.
    Names odd() const;

private:
    std::vector<std::pair<std::string, Names>> fewest_first() const;
    std::map<std::string, Names> hosts_{};
};

// Which ports of which hosts belong together.

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
