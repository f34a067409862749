// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine, with NetworkManager's state of their interfaces.
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

// Changes of ports, for port monitor.

/// Values as printed, by port ("mlx4_0/1") or interface, and key ("state"). Unreadable values are absent.
using Snapshot = std::map<std::pair<std::string, std::string>, std::string>;
/// `all`: an inventory as JSON.
Snapshot snapshot(const Json &all);

/// Returns true for the key that shows that a port or interface exists.
inline bool is_itself(const std::string &key) { return key == "port" || key == "interface"; }

/// A changed value; empty: absent.
struct PortChange {
    std::string where, what, before, after;
};
/// For a port or interface that appeared or vanished, only that.
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

/// How much an inventory reads; each includes the one before.
enum class Depth {
    list,     ///< what `nm-ib port` lists
    tables,   ///< also P_Keys, GIDs and the card: many files
    counters, ///< also error counters: firmware answers some of them
    fabric,   ///< also the other end of the link and the subnet manager: each may take a second
};

/// Reads all ports, or only the ports that `word` matches. An Error of kind `absent` if no port matches.
Result<Inventory> take_inventory(Depth depth, const std::string &word = {});

/// Drops all ports that no word matches. An Error of kind `absent` if no port matches: then all stay.
Result<void> keep(Inventory &all, const Words &words);

// Output: each value has one name, for people in capital letters.

Json json_of(const Inventory &all);

/// Reasons for missing values.
using Reasons = std::set<std::string>;
/// Returns two tables, ports and interfaces; with -t, -f or -m one table, with a row for each interface.
Result<std::string> list_of(const Options &options, const Json &all, Reasons &reasons);
/// Returns all values of each port, one a line.
Result<std::string> details_of(const Options &options, const Json &all, Reasons &reasons);

/// Returns a value for people; empty for null.
std::string text_of(const Json &value);
/// Returns a value of a port or HCA; "?" if it could not be read: adds the reason to `reasons`.
std::string cell(const Json &object, const std::string &key, Reasons &reasons);

} // namespace nmib::cli
