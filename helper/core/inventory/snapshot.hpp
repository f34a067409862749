// SPDX-License-Identifier: LGPL-2.1-or-later
/// What can change about ports while somebody watches.
#pragma once
#include "core/inventory/rdma_device.hpp"

#include <map>
#include <span>

namespace nmib
{

/// Values as they are shown, by port ("mlx4_0/1") or interface and what they are ("state"). What could not be read is
/// not in it.
using Snapshot = std::map<std::pair<std::string, std::string>, std::string>;

/// "port" and "interface" stand for the thing itself: it is there.
inline constexpr std::string_view itself[] = {"port", "interface"};

Snapshot snapshot(std::span<const RdmaDevice> devices);

/// A value that is another now; empty: there is none.
struct PortChange {
    std::string where, what, before, after;
};

/// Of a thing that has come or gone only that.
std::vector<PortChange> changes(const Snapshot &before, const Snapshot &after);

} // namespace nmib
