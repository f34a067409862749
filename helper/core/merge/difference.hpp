// SPDX-License-Identifier: LGPL-2.1-or-later
/// Compares reports, values and subnets of hosts.
#pragma once
#include "core/base/message.hpp"
#include "core/merge/merge.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace nmib::merging
{

using Names = std::vector<std::string>;

/// Returns "login, node[001-098,100] and 3 more".
std::string listed(const Names &names, Translate translate);

/// Adds a name unless it is the last already; the values of one host are consecutive.
void add_name(Names &names, const std::string &name);

/// The values of one field, and the hosts with each value.
class Differing
{
public:
    void add(const std::string &value, const std::string &host) { add_name(hosts_[value], host); }
    /// Returns true if two hosts have different values. Two values on one host do not count.
    bool between_hosts() const;
    /// The values, the rarest first: "2044: node3; 4092: node[1-2,4-99]".
    std::string text(Translate translate) const;
    /// The hosts without the most common value; all hosts if no value is the most common.
    Names odd() const;

private:
    std::vector<std::pair<std::string, Names>> fewest_first() const;
    std::map<std::string, Names> hosts_{};
};

struct PortOf {
    std::string host{}; ///< its name, with the file if two hosts have one name
    const RdmaDevice *device = nullptr;
    const RdmaPort *port = nullptr;
    std::string str() const { return host + " " + device->label(*port); }
};

/// Active ports with one subnet prefix and, if the prefix is the default, one SM LID.
struct Subnet {
    std::uint64_t prefix = 0;
    unsigned sm_lid = 0;         ///< of the first port
    std::vector<PortOf> ports{}; ///< by host
    /// Ports of two cards with one LID: the subnet may be several fabrics, and is not compared.
    std::optional<std::pair<PortOf, PortOf>> alike{};
    std::string str() const; ///< "0xfe80000000000000 (SM LID 1)"
};

std::vector<Subnet> subnets_of(const std::vector<PortOf> &ports);

/// The subnets whose ports should have one subnet manager: every subnet with a prefix of its own; with the default
/// prefix, the largest subnet and others that may belong to its fabric.
std::vector<const Subnet *> with_one_manager(const std::vector<Subnet> &subnets);

/// Groups of hosts that share no P_Key in which one of the two is a full member. Nothing if the subnet has more than 64
/// different P_Key tables: these are tenants.
std::vector<std::pair<Names, Names>> without_common_key(const Subnet &subnet);

/// All GUIDs but 0 of a host's cards and ports.
std::set<Guid> guids_of(const HostReport &report);
/// The cards of a host, without virtual functions.
struct Cards {
    std::set<std::string> boards{}; ///< board ids. If the host has lost cards: those of its siblings
    std::size_t ports = 0;
};
/// Hosts whose names differ only in the last number are siblings: node1, node2. If more than half of them have the same
/// board ids, a host with only some of these, or without a card, has lost cards.
std::vector<std::pair<const HostReport *, Cards>> cards_of(const std::vector<HostReport> &reports);
/// Keeps the last of several reports of one machine.
std::vector<HostReport> last_of_each(std::vector<HostReport> reports);
/// The expected hosts of which there is no report.
Names without_report(const std::vector<HostReport> &reports, std::span<const std::string> expected);

/// The connection manager's default: the setting, or the port's highest version (cma.c, cma_add_one). Empty: unknown.
std::string roce_mode_of(const RdmaPort &port);
/// The first GID of RoCE v2 with an IPv4 or global IPv6 address; null without one.
const GidEntry *first_routable(const RdmaPort &port);

} // namespace nmib::merging
