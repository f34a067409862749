// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the rdma.* words of a profile would do here.
#pragma once
#include "cli/daemon/daemon.hpp"
#include "core/rdma/plan.hpp"

namespace nmib::cli
{

struct RdmaForecast {
    std::string interface {
    };
    std::string profile{}, uuid{};
    RdmaWords words{};
    RdmaPlan plan{};
    bool there = false; ///< the interface
};

/// Of the first profile that has this name; nothing for one without such words.
std::optional<RdmaForecast> forecast_rdma(const Daemon &daemon, const std::string &profile);

} // namespace nmib::cli
