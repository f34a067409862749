// SPDX-License-Identifier: LGPL-2.1-or-later
/// The effects of a profile's activation on this machine, as planned by core.
#pragma once
#include "core/plan/moment.hpp"
#include "core/plan/plan.hpp"
#include "core/rdma/plan.hpp"
#include "nm/daemon.hpp"
#include "probe/plan/profile.hpp"

#include <optional>
#include <string>

namespace nmib::cli
{

struct Forecast {
    IfName link;
    Profile profile; ///< the intent narrowed to the moment
    Intent asked;    ///< the whole intent of the profile
    Plan plan;
    std::optional<Finding> refusal{}; ///< by NetworkManager or the kernel; no changes then
    Facts facts;
    bool imagined = false;        ///< a P_Key child that does not exist yet
    bool active = false;          ///< the profile is active or activating
    std::string profile_unread{}; ///< why only the UUID of the active profile is known
};

/// An interface now, as requested, or after the changes. Unset: not read, or not requested.
struct State {
    std::optional<TransportMode> mode{};
    std::optional<Mtu> mtu{}; ///< 0: automatic
    bool at_most = false;     ///< the subnet may lower the MTU
    std::optional<std::uint16_t> p_key{};
    const char *membership = nullptr; ///< of the port: "full", "limited" or "absent"; untranslated
    bool up = false;
    std::optional<bool> carrier{};
    std::optional<bool> tso{}; ///< requested
    bool idle = false;         ///< the kernel does not use TSO: connected mode
};
constexpr auto tso_feature = *FeatureName::parse("tx-tcp-segmentation");
/// Empty if the interface does not exist yet.
State now(const Forecast &f);
State asked(const Forecast &f);
State outcome(const Forecast &f);

/// Plans for an interface in `facts`. `moment`: `by_hand` with the active profile, or `forecast`. An empty profile:
/// quirks only. Error `absent`: `facts` do not have the interface.
Result<Forecast> forecast_on(Facts facts, const IfName &name, const Profile &profile, const Policy &policy,
                             Moment moment);
/// Plans for the profile's P_Key child, which does not exist yet. `facts`: of the parent, with the P_Key table.
/// `holder`: the interface that already has the key. Nothing if the kernel makes no child.
std::optional<Forecast> forecast_child(Facts facts, const Profile &profile, const Policy &policy,
                                       const std::optional<IfName> &holder);

/// Turns findings at which NetworkManager's activation fails into a refusal. `plugin`: may be loaded.
void expect_activation(Forecast &f, bool plugin);

/// Returns a finding of severity note for profile and interface.
Finding about(const Kind *kind, const Forecast &f);
/// Replaces all changes by a refusal.
void refuse(Forecast &f, Finding finding);
/// Describes a future change: "TSO will be switched off: this card corrupts large sends (quirk NAME)".
std::string future(const Change &change, const Policy &policy);
/// Returns "note", "warning" or "error"; untranslated.
const char *word(Severity severity);

/// The effects of a profile's rdma.* words on this machine.
struct RdmaForecast {
    std::string interface {
    };
    std::string profile{}, uuid{};
    RdmaWords words{};
    RdmaPlan plan{};
    bool there = false; ///< the interface exists
};

/// For the first profile with this name; nothing if the profile has no rdma.* words.
std::optional<RdmaForecast> forecast_rdma(const Daemon &daemon, const std::string &profile);

} // namespace nmib::cli
