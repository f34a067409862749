// SPDX-License-Identifier: LGPL-2.1-or-later
/// Users and groups, as the system knows them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nmib
{

std::optional<std::uint32_t> find_user(const std::string &name);
/// The names of those that are in a group, also by their own entry (of users that can be listed); nothing where there
/// is no such group.
std::optional<std::vector<std::string>> find_group(const std::string &name);

} // namespace nmib
