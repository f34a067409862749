// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine, with what NetworkManager says of their interfaces.
#pragma once
#include "cli/base/json.hpp"
#include "cli/base/options.hpp"
#include "cli/daemon/daemon.hpp"
#include "core/ib/rdma_device.hpp"

#include <map>
#include <set>
#include <vector>

namespace nmib::cli
{

// What can change about ports while they are watched.

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

struct Inventory {
    std::vector<RdmaDevice> devices{};
    bool has_daemon = false; ///< NetworkManager answered
    std::map<std::string, DeviceState> states{};

    const DeviceState *state_of(const PortNetdev &netdev) const
    {
        const auto found = states.find(netdev.name.str());
        return found == states.end() ? nullptr : &found->second;
    }
};

/// `details`: also what takes many files, of the ports that `word` means, or of all for an empty one. Of other ports
/// nothing is kept then.
Result<Inventory> take_inventory(bool details, const std::string &word = {});

/// Drops all ports but those that one of the words means. An Error of kind `absent` when there is none: then all stay.
Result<void> keep(Inventory &all, const Words &words);

// How an inventory is shown: each of its values has one name, in capital letters for people.

/// Everything about all.
Json json_of(const Inventory &all);

/// Why values are missing: each reason once.
using Reasons = std::set<std::string>;
/// Two tables, ports and interfaces; with -t or -f one, with a row for each interface.
Result<std::string> list_of(const Options &options, const Json &all, Reasons &reasons);
/// Everything about each port, a line for each value.
Result<std::string> details_of(const Options &options, const Json &all, Reasons &reasons);

/// A value for people: empty for null.
std::string text_of(const Json &value);
/// A value of a port or HCA: "?" where it could not be read.
std::string cell(const Json &object, const std::string &key, Reasons &reasons);

} // namespace nmib::cli
