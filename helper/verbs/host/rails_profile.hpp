// SPDX-License-Identifier: LGPL-2.1-or-later
/// The routes and rules of rails in a profile.
#pragma once
#include "core/host/rails.hpp"
#include "terminal/glib.hpp"
#include "terminal/words.hpp"

#include <NetworkManager.h>
#include <set>
#include <span>

namespace nmib::cli
{

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
