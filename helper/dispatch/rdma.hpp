// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of profiles: carried out when a profile is activated, and when an RDMA device appears, which may be
/// long after.
#pragma once
#include "apply/rdma/step.hpp"
#include "dispatch/handle.hpp"

namespace nmib
{

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
