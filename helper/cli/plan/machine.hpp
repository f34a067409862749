// SPDX-License-Identifier: LGPL-2.1-or-later
/// The machine that profiles are planned for.
#pragma once
#include "cli/daemon/daemon.hpp"
#include "cli/plan/forecast.hpp"
#include "probe/plan/probe.hpp"

namespace nmib::cli
{

/// What an active profile still asks: one that was changed since, or that NetworkManager made of what it found, asks
/// nothing; but who opted out stays so.
void keep_what_holds(Profile &profile, bool changed);

/// The machine, and what its administrator decided.
class Machine
{
public:
    static Result<Machine> open();

    /// For an interface, with the profile that is active on it, if any, as far as that still decides about it.
    Result<Forecast> forecast(const IfName &name);
    /// For the interface that a profile is for. An Error of kind `absent` when it is not there, nor the parent it would
    /// be made from.
    Result<Forecast> forecast(NMConnection *profile);
    /// Where a profile is active, by UUID.
    std::optional<IfName> interface_with(const std::string &profile);
    /// Every InfiniBand interface, by ifindex.
    Result<std::vector<IfName>> interfaces();

    /// Connected with the first question; the failure where that is not possible.
    const std::variant<Daemon, Failure> &daemon();
    Probe &probe() noexcept { return probe_; }
    const Policy &policy() const noexcept { return policy_; }
    /// Files of quirks or configuration that were left out.
    const std::vector<Error> &warnings() const noexcept { return warnings_; }

private:
    Machine(Probe probe, Policy policy, std::vector<Error> warnings) :
        probe_(std::move(probe)), policy_(std::move(policy)), warnings_(std::move(warnings))
    {
    }
    Result<Forecast> forecast(const IfName &name, const Profile &profile, Moment moment);
    /// The interface and its surroundings, with its TSO and the P_Key table whether the plan needs them or not.
    Result<Facts> look(const IfName &name);
    Result<Forecast> forecast_profile(NMConnection *profile);
    std::optional<Forecast> forecast_child(const Profile &profile);
    /// False where a daemon runs without it.
    bool may_have_plugin();
    /// The UUID of the profile that is active on an interface. Without a daemon none is.
    std::optional<std::string> profile_on(const IfName &name);
    /// The interface of this port because of which the kernel makes no child with a P_Key. It compares the key as it is
    /// written with those in use, which have bit 15 set (ipoib_vlan.c, is_child_unique).
    std::optional<IfName> holder_of(const IfName &parent, std::uint16_t p_key);
    /// The daemon's, by the UUID that it gave.
    Result<Profile> stored_profile(const std::string &uuid);

    Probe probe_;
    Policy policy_;
    std::vector<Error> warnings_;
    std::optional<std::variant<Daemon, Failure>> daemon_{};
};

/// The interface a profile is for, as far as the profile names it: its interface-name, or parent and P_Key.
std::optional<IfName> interface_of(NMConnection *connection);
/// How plan and apply end with it.
Failure failure_of(const Error &error);

// What one word of `plan` and `apply` stands for.

/// An interface, the own interface of a port, or a profile, which counts where none is active on the interface.
Result<Forecast> forecast_of(Machine &machine, const std::string &what);
/// The same, with the active profile alone: a profile stands for the interface that it is active on.
Result<Forecast> forecast_active(Machine &machine, const std::string &what);

} // namespace nmib::cli
