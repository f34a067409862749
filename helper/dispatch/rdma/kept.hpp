// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words in force: /run/NetworkManager/nm-infiniband/rdma-<ifindex>, a file per interface.
#pragma once
#include "core/rdma/plan.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

struct RdmaKept {
    std::string link{}; ///< the name, also known after the interface is gone
    std::string profile{};
    RdmaWords words{};
    RdmaMade made{};

    /// Returns true if no words are set and nothing is to be undone.
    bool empty() const
    {
        auto asked = words;
        if (asked.soft == SoftRdma::none) asked.soft.reset();
        return asked.empty() && made.empty();
    }
    std::string str() const;
    static RdmaKept parse(std::string_view text);
};

/// Reads all files; the key is the ifindex. `state` is /run/NetworkManager/nm-infiniband.
std::map<int, RdmaKept> all_rdma_kept(const std::string &state);
/// Returns the keys without reading the files.
std::vector<int> all_rdma_numbers(const std::string &state);
/// Adds to `ports` the kept values of other interfaces.
void mark_other_profiles(const std::map<int, RdmaKept> &all, int ifindex, std::vector<RdmaPortNow> &ports);

} // namespace nmib
