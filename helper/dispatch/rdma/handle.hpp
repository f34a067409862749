// SPDX-License-Identifier: LGPL-2.1-or-later
/// The rdma.* words of profiles, applied when a profile is activated and when an RDMA device appears.
#pragma once
#include "dispatch/event.hpp"
#include "dispatch/rdma/run.hpp"

namespace nmib
{

/// Returns true if the interface's profile has or had rdma.* words. Cheap, because this runs for every interface.
bool wants_rdma(const Event &event, const RdmaPaths &paths);
/// Handles `up` and `reapply`, and `down` of an interface on top of others. Keeps the words and the previous values.
Lines handle_rdma(const Event &event, const RdmaPaths &paths);
/// Handles an RDMA device that has appeared or has another name.
Lines handle_rdma_device(const std::string &device, const RdmaPaths &paths);

} // namespace nmib
