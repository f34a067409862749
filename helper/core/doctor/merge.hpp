// SPDX-License-Identifier: LGPL-2.1-or-later
/// Compares the reports of many hosts. No I/O.
#pragma once
#include "core/doctor/trouble.hpp"
#include "core/ib/rdma_device.hpp"

#include <span>

namespace nmib
{

/// The report of one host.
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

struct Merged {
    std::size_t hosts = 0, ports = 0; ///< that were compared
    std::vector<Trouble> troubles{};  ///< the most serious first
};

/// Of two files of one host and kind the last counts.
Merged merge(std::vector<HostReport> reports, Translate translate = untranslated);

/// Every kind of trouble that it can find.
std::span<const Trouble::Kind> merge_kinds() noexcept;

} // namespace nmib
