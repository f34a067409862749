// SPDX-License-Identifier: LGPL-2.1-or-later
/// Users and groups, as the system knows them.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace nmib
{

using Users = std::map<std::uint32_t, std::string>;

/// The users of these names that there are, by their numbers.
Users find_users(std::set<std::string> names);
/// The users of a group, also by their own entry (of users that the system lists); nothing where there is no such
/// group.
std::optional<Users> find_group(const std::string &name);

} // namespace nmib
