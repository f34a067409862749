// SPDX-License-Identifier: LGPL-2.1-or-later
/// What activating a profile would do on this machine.
#pragma once
#include "cli/gobject.hpp"
#include "core/plan.hpp"
#include "probe/probe.hpp"
#include "probe/profile.hpp"

#include <NetworkManager.h>

namespace nmib::cli
{

struct Forecast {
    IfName link;
    Profile profile;
    Plan plan;
    Facts facts;
    bool imagined = false; ///< the interface is a P_Key child that does not exist yet
};

/// The machine, and what its administrator decided.
class Machine
{
public:
    static Result<Machine> open();

    /// Nothing when the profile names no interface that is there.
    std::optional<Forecast> forecast(const Profile &profile, const std::optional<IfName> &name);
    /// For an interface, with the profile that is active on it, if any.
    Result<Forecast> forecast(const IfName &name, const std::optional<Profile> &profile);
    /// Every InfiniBand interface, by ifindex.
    Result<std::vector<IfName>> interfaces();
    /// The UUID of the profile that is active on an interface.
    std::optional<std::string> active_profile(const IfName &name);

    Probe &probe() noexcept { return probe_; }
    const Policy &policy() const noexcept { return policy_; }
    /// Files of quirks or configuration that were left out.
    const std::vector<Error> &warnings() const noexcept { return warnings_; }

private:
    Machine(Probe probe, Policy policy, std::vector<Error> warnings) :
        probe_(std::move(probe)), policy_(std::move(policy)), warnings_(std::move(warnings))
    {
    }
    std::optional<Forecast> imagine_child(const Profile &profile);
    Probe probe_;
    Policy policy_;
    std::vector<Error> warnings_;
};

/// The profile as core sees it.
Result<Profile> core_profile(NMConnection *connection);
/// The interface a profile is for, as far as the profile says: its interface-name, or parent and P_Key.
std::optional<IfName> interface_of(NMConnection *connection);
/// A change that is still to be made: "transport mode connected".
std::string future(const Change &change, const Policy &policy);

} // namespace nmib::cli
