// SPDX-License-Identifier: LGPL-2.1-or-later
/// The ports of this machine, with what NetworkManager says of their interfaces.
#pragma once
#include "cli/daemon/device_states.hpp"
#include "core/inventory/rdma_device.hpp"

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

/// One port among those of an inventory.
struct PortAt {
    const RdmaDevice *device = nullptr;
    const RdmaPort *port = nullptr;
};

/// `details`: also what takes many files, of the ports that `word` means, or of all for an empty one. Of other ports
/// nothing is kept then.
Result<Inventory> take_inventory(bool details, const std::string &word = {});

/// Drops all but the ports that a word means; an Error of kind `absent` when there is none.
Result<void> keep(Inventory &all, const std::string &word);

/// Why values are missing: each reason once.
using Reasons = std::set<std::string>;

/// The value as `show` writes it, "" where the thing has none, "?" where it could not be read.
template<class T, class Show> std::string cell(const Read<T> &read, Reasons &reasons, Show show)
{
    if (read) return show(*read);
    if (!read.failed()) return {};
    reasons.insert(read.error().what);
    return "?";
}

} // namespace nmib::cli
