// SPDX-License-Identifier: LGPL-2.1-or-later
/// Parent, P_Key and interface-name belong together: where one is changed, those that were not given follow.
#pragma once
#include "cli/connection/advice.hpp"
#include "cli/daemon/profiles.hpp"
#include "probe/base/rtnl.hpp"

#include <string>

namespace nmib::cli
{

// The ports of this machine, as profiles speak of them.

/// The interface of the port with the GUID in this hardware address.
std::optional<IfName> port_with(Rtnl &rtnl, const HwAddr &address);
/// The hardware address of an InfiniBand interface.
std::optional<HwAddr> address_of(const std::string &interface);

// The profile that brings up the parent of a P_Key profile.

/// Does some profile bring up the parent? True for one that has no P_Key or no parent.
bool has_parent_profile(const Draft &draft, const Profiles &profiles);
/// One that brings up the parent and does nothing else.
Result<Object<NMConnection>> parent_profile(const Draft &child, const Profiles &profiles);

/// nmcli reads a P_Key, and refuses it in the same breath where the interface-name does not fit. So the order is: make
/// room for it in the profile that nmcli is given, let nmcli apply the words, finish what it gives back.
class Follow
{
public:
    /// `before`: the profile as it is stored.
    Follow(NMConnection *before, const PropertyWords &typed);
    /// The same keyfile without an interface-name that is not going to fit, and with the parent that follows.
    std::string make_room(const std::string &keyfile) const;
    /// Sets what follows, or puts back what was taken away; the lines say what was done.
    Words finish(Draft &draft) const;

private:
    bool moves_ = false;
    std::string name_;     ///< that it had
    std::string parent_{}; ///< that it is given for nmcli
};

} // namespace nmib::cli
