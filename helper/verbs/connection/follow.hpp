// SPDX-License-Identifier: LGPL-2.1-or-later
/// Parent, P_Key and interface-name belong together: if one changes, the properties that were not typed follow.
#pragma once
#include "nm/profiles.hpp"
#include "probe/base/rtnl.hpp"
#include "verbs/connection/advice.hpp"

#include <string>

namespace nmib::cli
{

/// Nothing if the interface is not InfiniBand.
std::optional<HwAddr> address_of(const std::string &interface);

/// Returns true if a profile activates the parent, or if the draft has no P_Key or no parent.
bool has_parent_profile(const Draft &draft, const Profiles &profiles);
/// Makes a profile that only activates the parent.
Result<Object<NMConnection>, Failure> parent_profile(const Draft &child, const Profiles &profiles);

/// nmcli refuses a P_Key that does not match the interface-name. So make_room() removes the name, nmcli applies the
/// words, and finish() sets the matching name.
class Follow
{
public:
    Follow(NMConnection *before, const PropertyWords &typed);
    /// Returns the keyfile without an interface-name that will not match, and with the parent that follows.
    std::string make_room(const std::string &keyfile) const;
    /// Sets the properties that follow, or restores the removed ones. Returns a line for each change.
    Words finish(Draft &draft) const;

private:
    bool moves_ = false;
    std::string name_;     ///< interface-name before
    std::string parent_{}; ///< for nmcli only; empty: unchanged
};

} // namespace nmib::cli
