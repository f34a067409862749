// SPDX-License-Identifier: LGPL-2.1-or-later
/// What can change about ports while they are watched.
#pragma once
#include "cli/base/json.hpp"

#include <map>
#include <vector>

namespace nmib::cli
{

/// Values as they are shown, by port ("mlx4_0/1") or interface and key ("state"). What could not be read is not in it.
using Snapshot = std::map<std::pair<std::string, std::string>, std::string>;
/// Of an inventory as JSON.
Snapshot snapshot(const Json &all);

/// "port" and "interface" stand for the thing itself: it is there.
inline bool is_itself(const std::string &key) { return key == "port" || key == "interface"; }

/// A value that is another now; empty: there is none.
struct PortChange {
    std::string where, what, before, after;
};
/// Of a thing that has come or gone only that.
std::vector<PortChange> changes(const Snapshot &before, const Snapshot &after);

} // namespace nmib::cli
