// SPDX-License-Identifier: LGPL-2.1-or-later
/// What hosts have in common, and what not.
#pragma once
#include "core/base/message.hpp"

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

} // namespace nmib::merging
