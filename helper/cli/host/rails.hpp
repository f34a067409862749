// SPDX-License-Identifier: LGPL-2.1-or-later
/// The route and the rule of a rail in a profile.
#pragma once
#include "cli/base/gobject.hpp"
#include "cli/base/words.hpp"
#include "core/host/rails.hpp"

namespace nmib::cli
{

/// Returns the addresses in a profile, which must have ipv4.method manual. Error: the other method.
Result<std::vector<RailAddress>> rail_addresses(NMConnection *profile);
/// Replaces the routes and rules with this table: for each subnet of the addresses a route, for each address a rule.
void set_rail(NMConnection *profile, std::uint32_t table, std::span<const RailAddress> addresses);
/// Returns the words of `nmcli connection modify` that change the routes and rules with these tables; none if equal.
Words rail_words(NMConnection *before, NMConnection *after, const std::set<std::uint32_t> &tables);
/// Adds the tables and the priorities of rules that a profile names.
void add_routing_numbers(NMConnection *profile, std::set<std::uint32_t> &numbers);

} // namespace nmib::cli
