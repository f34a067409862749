// SPDX-License-Identifier: LGPL-2.1-or-later
/// What one host told of itself, in a file that came from it.
#pragma once
#include "core/diagnose/trouble.hpp"
#include "core/inventory/rdma_device.hpp"

namespace nmib
{

struct HostReport {
    /// What the host's own doctor found.
    struct Found {
        std::string id{}, where{}, seen{};
        Trouble::Severity severity = Trouble::Severity::error;
    };
    std::string host{};     ///< its name, as it calls itself
    std::string file{};     ///< where this was read
    bool has_ports = false; ///< of `nm-ib port --json`; else of `nm-ib doctor --json`, with findings only
    std::vector<RdmaDevice> devices{};
    std::vector<Found> findings{};
};

} // namespace nmib
