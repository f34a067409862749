// SPDX-License-Identifier: LGPL-2.1-or-later
/// Ways in which a file of the kernel's can be what it never is.
#pragma once
#include "tree.hpp"

#include <functional>
#include <vector>

namespace nmib::test
{

struct Spoil {
    const char *name;
    std::function<void(const Tree &, const std::string &where)> apply;
    bool keeps_links_right = false; ///< what is behind a link stays reachable
};

extern const std::vector<Spoil> spoils;

} // namespace nmib::test
