// SPDX-License-Identifier: LGPL-2.1-or-later
/// Rails as nm-ib writes them: the file, and the route and the rule in a profile.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/base/words.hpp"
#include "core/host/rails.hpp"

namespace nmib::cli
{

/// Returns the rails in the file.
std::vector<Rail> written_rails();

/// Returns the addresses in a profile, which must have ipv4.method manual. Error: the other method.
Result<std::vector<RailAddress>> rail_addresses(NMConnection *profile);
/// Returns the table of the rail's rule in a profile; 0: none.
std::uint32_t rail_table(NMConnection *profile);
/// Replaces the rail's routes and rules: for each subnet of the addresses a route, for each address a rule.
void set_rail(NMConnection *profile, std::uint32_t table, std::span<const RailAddress> addresses);
/// Returns the words of `nmcli connection modify` that change the rail's routes and rules; none if equal.
Words rail_words(NMConnection *before, NMConnection *after);
/// Adds the tables and the priorities of rules that a profile names.
void add_routing_numbers(NMConnection *profile, std::set<std::uint32_t> &numbers);

} // namespace nmib::cli
