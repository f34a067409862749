// SPDX-License-Identifier: LGPL-2.1-or-later
/// What was already told about one activation, so that pre-up, up, a reapply and a restart of the daemon do not tell it
/// again.
#pragma once
#include "core/result.hpp"

#include <string>
#include <vector>

namespace nmib
{

class Said
{
public:
    /// `state` is /run/nm-infiniband; the activation is the profile `uuid` on interface `ifindex`.
    static Said load(const std::string &state, int ifindex, const std::string &uuid);
    /// True the first time. A line keeps being known until the interface goes down or another profile comes up on it.
    bool first_time(const std::string &line);
    Result<void> save() const;
    /// On `down`.
    static void forget(const std::string &state, int ifindex);

private:
    std::string state_;
    int ifindex_ = 0;
    std::vector<std::string> lines_; ///< the first is the uuid
    bool changed_ = false;
};

} // namespace nmib
