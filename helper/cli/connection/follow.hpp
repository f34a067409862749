// SPDX-License-Identifier: LGPL-2.1-or-later
/// Parent, P_Key and interface-name belong together: where one is changed, those that were not given follow.
#pragma once
#include "cli/connection/draft.hpp"

namespace nmib::cli
{

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
