// SPDX-License-Identifier: LGPL-2.1-or-later
/// What is kept of the rdma.* words in force, a file for each interface:
/// /run/NetworkManager/nm-infiniband/rdma-<ifindex>.
#pragma once
#include "core/rdma/plan.hpp"
#include "probe/base/dir.hpp"

namespace nmib
{

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

/// A device that `up` makes has an event of its own: who changes what is kept does so alone. A file that only root can
/// open, so that nobody else holds it, and which goes with this object.
class RdmaLock
{
public:
    explicit RdmaLock(const std::string &state);
    ~RdmaLock();
    RdmaLock(const RdmaLock &) = delete;
    RdmaLock &operator=(const RdmaLock &) = delete;

private:
    std::optional<Dir> dir_{};
    UniqueFd fd_{};
};

/// By the interface's number. `state` is /run/NetworkManager/nm-infiniband.
std::map<int, RdmaKept> all_rdma_kept(const std::string &state);
/// Their numbers alone, without reading a file.
std::vector<int> all_rdma_numbers(const std::string &state);
/// Tells the ports what is kept of other interfaces than this one.
void tell_others(const std::map<int, RdmaKept> &all, int ifindex, std::vector<RdmaPortNow> &ports);

} // namespace nmib
