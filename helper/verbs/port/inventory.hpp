// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine, with NetworkManager's state of their interfaces.
#pragma once
#include "core/ib/rdma_device.hpp"
#include "nm/daemon.hpp"

#include <map>
#include <vector>

namespace nmib::cli
{

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
    counters, ///< also P_Keys, GIDs, the card and error counters: many files; firmware answers some of them
    fabric,   ///< also the other end of the link and the subnet manager: each may take a second
};

/// Reads all ports, or only the ports that `word` matches. An Error of kind `absent` if no port matches.
Result<Inventory> take_inventory(Depth depth, const std::string &word = {});

/// Drops all ports that no word matches. An Error of kind `absent` if no port matches: then all stay.
Result<void> keep(Inventory &all, const Words &words);

/// Calls `look` with port and interface, for each interface of a port.
template<class Look> void each_interface(const Inventory &all, Look look)
{
    for (const auto &device : all.devices)
        for (const auto &port : device.ports)
            for (const auto &n : port.interfaces) look(port, n);
}

} // namespace nmib::cli
