// SPDX-License-Identifier: LGPL-2.1-or-later
/// Ways to make a kernel file impossible.
#pragma once
#include "tree.hpp"

#include <functional>
#include <vector>

namespace nmib::test
{

struct Spoil {
    const char *name;
    std::function<void(const Tree &, const std::string &where)> apply;
    bool keeps_links_right = false; ///< targets of links stay reachable
};

extern const std::vector<Spoil> spoils;

} // namespace nmib::test
