// SPDX-License-Identifier: LGPL-2.1-or-later
/// Reads this machine and plans profiles for it.
#pragma once
#include "nm/daemon.hpp"
#include "probe/plan/probe.hpp"
#include "verbs/plan/forecast.hpp"

namespace nmib::cli
{

/// Clears the intent of an active profile that was changed since its activation, or that NetworkManager generated.
/// Keeps rdma.skip.
void keep_what_holds(Profile &profile, bool changed);

class Machine
{
public:
    static Result<Machine> open();

    /// Plans for an interface and its active profile, if any (see keep_what_holds()).
    Result<Forecast> forecast(const IfName &name);
    /// Plans for the interface of a profile. Error `absent`: neither the interface nor its parent exists. A profile of
    /// a VLAN, macvlan or ipvlan is refused on its parent.
    Result<Forecast> forecast(NMConnection *profile);
    /// Returns the interface on which a profile is active. `profile`: the UUID.
    std::optional<IfName> interface_with(const std::string &profile);
    /// Returns every InfiniBand interface, by ifindex.
    Result<std::vector<IfName>> interfaces();

    /// Connects at the first call.
    const Result<Daemon, Failure> &daemon();
    Probe &probe() noexcept { return probe_; }
    const Policy &policy() const noexcept { return policy_; }
    /// Returns the errors of skipped files of quirks or configuration.
    const std::vector<Error> &warnings() const noexcept { return warnings_; }

private:
    Machine(Probe probe, Policy policy, std::vector<Error> warnings) :
        probe_(std::move(probe)), policy_(std::move(policy)), warnings_(std::move(warnings))
    {
    }
    Result<Forecast> forecast(const IfName &name, const Profile &profile, Moment moment);
    /// Reads the interface and its surroundings, always with TSO and P_Key tables.
    Result<Facts> look(const IfName &name);
    Result<Forecast> forecast_profile(NMConnection *profile);
    std::optional<Forecast> forecast_child(const Profile &profile);
    /// Returns false if the daemon runs without the plugin.
    bool may_have_plugin();
    /// Returns the UUID of the interface's active profile; nothing without a daemon.
    std::optional<std::string> profile_on(const IfName &name);
    /// Returns the port's interface because of which the kernel refuses a child with the P_Key. The kernel compares the
    /// key as written with the keys in use, which have bit 15 set (ipoib_vlan.c, is_child_unique).
    std::optional<IfName> holder_of(const IfName &parent, std::uint16_t p_key);
    /// Reads a profile from the daemon, which must be connected.
    Result<Profile> stored_profile(const std::string &uuid);

    Probe probe_;
    Policy policy_;
    std::vector<Error> warnings_;
    std::optional<Result<Daemon, Failure>> daemon_{};
};

/// What a profile makes with an interface, and only Ethernet can carry.
struct Carried {
    std::string what;      ///< "bridge", "team", "vlan", "macvlan", "ipvlan"
    std::string interface; ///< the interface below or, of a port of a bridge or team, the profile's own
};
/// Nothing for other profiles. A parent that is given by a UUID is not looked up.
std::optional<Carried> carried_by(NMConnection *connection);

/// Returns the interface that the profile names: by interface-name, or by parent and P_Key.
std::optional<IfName> interface_of(NMConnection *connection);

/// Plans for the word of `plan`: an interface, a port's own interface, or a profile. An interface with an active
/// profile comes first, then a profile, then another interface.
Result<Forecast> forecast_of(Machine &machine, const std::string &what);
/// Plans for the word of `apply`: an interface, or a profile, which stands for the interface on which it is active.
Result<Forecast> forecast_active(Machine &machine, const std::string &what);

} // namespace nmib::cli
