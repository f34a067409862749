// SPDX-License-Identifier: LGPL-2.1-or-later
/// What activating a profile would do on this machine, said by core from what was read of both.
#pragma once
#include "core/plan.hpp"
#include "probe/profile.hpp"

#include <optional>
#include <string>

namespace nmib::cli
{

struct Forecast {
    IfName link;
    Profile profile;
    Plan plan;
    Facts facts;
    bool imagined = false; ///< the interface is a P_Key child that does not exist yet
};

/// For an interface among `facts`; without a profile, what quirks alone would do. An Error of kind `absent` when it is
/// not among them.
Result<Forecast> forecast_on(Facts facts, const IfName &name, const std::optional<Profile> &profile,
                             const Policy &policy);
/// For the P_Key child that the profile is to have made from its parent, whose surroundings and P_Key table are
/// `facts`; `holder` is the interface that has the key already. Nothing where the kernel makes none.
std::optional<Forecast> forecast_child(Facts facts, const Profile &profile, const Policy &policy,
                                       const std::optional<IfName> &holder);

/// An activation is NetworkManager's: what it fails at is refused, and where there is no plugin nobody refuses the
/// rest.
void expect_activation(Forecast &f, const Policy &policy, bool plugin);

/// About the profile and its interface; a note.
Finding about(Finding::Code code, const Forecast &f);
/// Instead of all changes.
void refuse(Forecast &f, Finding finding);
/// A change that is still to be made: "transport mode connected".
std::string future(const Change &change, const Policy &policy);
/// "note", "warning" or "error"; not translated.
const char *word(Finding::Severity severity);

} // namespace nmib::cli
