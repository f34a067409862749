// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of profiles, applied when a profile is activated and when an RDMA device appears.
#pragma once
#include "apply/rdma/words.hpp"
#include "core/rdma/plan.hpp"
#include "dispatch/handle.hpp"
#include "probe/base/dir.hpp"

namespace nmib
{

// The rdma.* words in force: /run/NetworkManager/nm-infiniband/rdma-<ifindex>, a file per interface.

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

struct RdmaPaths {
    HandlePaths handle;
    std::string root = "/", sysfs = "/sys", configfs = rdma_cm_folder;
};

/// Returns true if the interface's profile has or had rdma.* words. Cheap, because this runs for every interface.
bool wants_rdma(const Event &event, const RdmaPaths &paths);
/// Handles `up` and `reapply`, and `down` of an interface on top of others. Keeps the words and the previous values.
Lines handle_rdma(const Event &event, const RdmaPaths &paths);
/// Handles an RDMA device that has appeared or has another name.
Lines handle_rdma_device(const std::string &device, const RdmaPaths &paths);

} // namespace nmib
