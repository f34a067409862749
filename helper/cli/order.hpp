// SPDX-License-Identifier: LGPL-2.1-or-later
/// The order in which nmcli reads properties from 1.54 on (connections.c): as they are typed, but first what decides
/// which others a profile can have.
#pragma once
#include "cli/base/options.hpp"

#include <utility>

namespace nmib::cli
{

/// Does this word, which may be cut short, name the type InfiniBand?
bool is_our_type(const std::string &word);
/// The words of properties in that order, and whether the type is going to be ours. Options of ours among them are
/// taken.
std::pair<Args, bool> in_order(Args args, Options &options);

} // namespace nmib::cli
