// SPDX-License-Identifier: LGPL-2.1-or-later
/// Compares the reports of many hosts. No I/O.
#pragma once
#include "core/doctor/trouble.hpp"
#include "core/ib/rdma_device.hpp"

#include <span>

namespace nmib
{

struct HostReport {
    /// A finding of the host's own doctor.
    struct Found {
        std::string id{}, where{}, seen{};
        Severity severity = Severity::error;
    };
    std::string host{};     ///< its own name
    std::string file{};     ///< the path of the report
    bool has_ports = false; ///< from `nm-ib port --json`; false: from `nm-ib doctor --json`, with findings only
    std::vector<RdmaDevice> devices{};
    std::vector<Found> findings{};
};

struct Merged {
    std::size_t hosts = 0, ports = 0; ///< compared
    std::vector<Trouble> troubles{};  ///< the most serious first
};

/// If a host has two files of one kind, the last one is used. `expected`: hosts that should have a report.
Merged merge(std::vector<HostReport> reports, std::span<const std::string> expected = {},
             Translate translate = untranslated);

/// Makes one trouble of those that differ only in `where`: a host that is down differs with each of its ports.
std::vector<Trouble> combined(std::vector<Trouble> troubles);

} // namespace nmib
