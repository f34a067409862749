// SPDX-License-Identifier: LGPL-2.1-or-later
/// What activating a profile would do on this machine, said by core from what was read of both.
#pragma once
#include "cli/daemon/daemon.hpp"
#include "core/plan/moment.hpp"
#include "core/plan/plan.hpp"
#include "core/rdma/plan.hpp"
#include "probe/plan/profile.hpp"

#include <optional>
#include <string>

namespace nmib::cli
{

struct Forecast {
    IfName link;
    Profile profile; ///< as far as it counts at this moment
    Intent asked;    ///< all that the profile asks
    Plan plan;
    std::optional<Finding> refusal{}; ///< what NetworkManager or the kernel will not do; there are no changes then
    Facts facts;
    bool imagined = false;        ///< the interface is a P_Key child that does not exist yet
    bool active = false;          ///< the profile is, or is on its way
    std::string profile_unread{}; ///< why only the UUID of the active profile is known
};

/// An interface as it is, as a profile asks, or as it will be. Unset: not read, or not asked for.
struct State {
    std::optional<TransportMode> mode{};
    std::optional<Mtu> mtu{}; ///< 0: automatic
    bool at_most = false;     ///< the MTU: the subnet decides
    std::optional<std::uint16_t> p_key{};
    const char *membership = nullptr; ///< of the port in the partition: "full", "limited" or "absent"; not translated
    bool up = false;
    std::optional<bool> carrier{};
    std::optional<bool> tso{}; ///< requested
    bool idle = false;         ///< the kernel makes no use of it: connected mode
};
constexpr auto tso_feature = *FeatureName::parse("tx-tcp-segmentation");
/// Nothing where the interface does not exist yet.
State now(const Forecast &f);
State asked(const Forecast &f);
State outcome(const Forecast &f);

/// For an interface among `facts`; `by_hand`, with the active profile, or `forecast`. Without a profile, what quirks
/// alone would do. An Error of kind `absent` when it is not among them.
Result<Forecast> forecast_on(Facts facts, const IfName &name, const Profile &profile, const Policy &policy,
                             Moment moment);
/// For the P_Key child that the profile is to have made from its parent, whose surroundings and P_Key table are
/// `facts`; `holder` is the interface that has the key already. Nothing where the kernel makes none.
std::optional<Forecast> forecast_child(Facts facts, const Profile &profile, const Policy &policy,
                                       const std::optional<IfName> &holder);

/// An activation is NetworkManager's: what it fails at is refused.
void expect_activation(Forecast &f, bool plugin);

/// About the profile and its interface; a note.
Finding about(Finding::Code code, const Forecast &f);
/// Instead of all changes.
void refuse(Forecast &f, Finding finding);
/// A change that is still to be made: "TSO will be switched off: this card corrupts large sends (quirk NAME)".
std::string future(const Change &change, const Policy &policy);
/// "note", "warning" or "error"; not translated.
const char *word(Finding::Severity severity);

// What the rdma.* words of a profile would do here.

struct RdmaForecast {
    std::string interface {
    };
    std::string profile{}, uuid{};
    RdmaWords words{};
    RdmaPlan plan{};
    bool there = false; ///< the interface
};

/// Of the first profile that has this name; nothing for one without such words.
std::optional<RdmaForecast> forecast_rdma(const Daemon &daemon, const std::string &profile);

} // namespace nmib::cli
