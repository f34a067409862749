// SPDX-License-Identifier: GPL-2.0-or-later
/// The daemon's one look at the kernel: opened when it is first needed, kept for the next activation.
#pragma once
#include "probe/plan/probe.hpp"

namespace nmib
{

class DaemonProbe
{
public:
    explicit DaemonProbe(ProbePaths paths) : paths_(std::move(paths)) {}
    Result<Probe> &get()
    {
        if (!probe_) probe_ = Probe::open(paths_);
        return probe_;
    }
    /// After an unexpected error: what its sockets still hold may be an answer to an older question.
    void renew() { probe_ = Error{}; }

private:
    ProbePaths paths_;
    Result<Probe> probe_ = Error{};
};

} // namespace nmib
