// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of profiles: carried out when a profile is activated, and when an RDMA device appears, which may be
/// long after.
#pragma once
#include "apply/rdma/words.hpp"
#include "core/rdma/plan.hpp"
#include "dispatch/handle.hpp"
#include "probe/base/dir.hpp"

namespace nmib
{

// What is kept of the rdma.* words in force, a file for each interface:
// /run/NetworkManager/nm-infiniband/rdma-<ifindex>.

struct RdmaKept {
    std::string link{}; ///< its name when this was kept; what is left when the interface is gone
    std::string profile{};
    RdmaWords words{};
    RdmaMade made{};

    /// Nothing is asked, and there is nothing to take back.
    bool empty() const
    {
        auto asked = words;
        if (asked.soft == SoftRdma::none) asked.soft.reset();
        return asked.empty() && made.empty();
    }
    std::string str() const;
    static RdmaKept parse(std::string_view text);
};

/// By the interface's number. `state` is /run/NetworkManager/nm-infiniband.
std::map<int, RdmaKept> all_rdma_kept(const std::string &state);
/// Their numbers alone, without reading a file.
std::vector<int> all_rdma_numbers(const std::string &state);
/// Tells the ports what is kept of other interfaces than this one.
void tell_others(const std::map<int, RdmaKept> &all, int ifindex, std::vector<RdmaPortNow> &ports);

struct RdmaPaths {
    HandlePaths handle;
    std::string root = "/", sysfs = "/sys", configfs = rdma_cm_folder;
};

/// Cheap, for every interface of the machine: does its profile have such words, or had it?
bool wants_rdma(const Event &event, const RdmaPaths &paths);
/// `up`, `reapply`, or `down` of an interface that lies on others. The words are kept in
/// /run/NetworkManager/nm-infiniband, with what was there before.
Lines handle_rdma(const Event &event, const RdmaPaths &paths);
/// An RDMA device has appeared, or has another name.
Lines handle_rdma_device(const std::string &device, const RdmaPaths &paths);

} // namespace nmib
