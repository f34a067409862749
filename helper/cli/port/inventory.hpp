// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine, with what NetworkManager says of their interfaces.
#pragma once
#include "cli/daemon/states.hpp"
#include "core/ib/rdma_device.hpp"

#include <set>

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

/// `details`: also what takes many files, of the ports that `word` means, or of all for an empty one. Of other ports
/// nothing is kept then.
Result<Inventory> take_inventory(bool details, const std::string &word = {});

/// Drops all ports but those that one of the words means. An Error of kind `absent` when there is none: then all stay.
Result<void> keep(Inventory &all, const Words &words);

} // namespace nmib::cli
