// SPDX-License-Identifier: LGPL-2.1-or-later
/// What in a profile names an interface, and what becomes of it when the interface gets another name.
#pragma once
#include "cli/base/words.hpp"
#include "core/hwaddr.hpp"
#include "core/ifname.hpp"

#include <NetworkManager.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib::cli
{

/// One property, with its values as nmcli takes them.
struct Edit {
    std::string property; ///< "infiniband.parent"
    std::string from;
    std::string to; ///< empty: the property is unset
    friend bool operator==(const Edit &, const Edit &) = default;
};

/// The new name of the interface, or of a P_Key child that is named after it; nothing for any other.
std::optional<IfName> follow_name(std::string_view name, const IfName &from, const IfName &to);

/// Makes a profile follow an interface, and the P_Key children that are named after it, from one name to another:
/// connection.interface-name, every property called `parent`, match.interface-name, and the bond options `primary` and
/// `active_slave`. The interface-name of a P_Key profile goes where the new name is longer than `parent_name_limit`;
/// NetworkManager computes it then. Returns what was changed, interface-name first; nothing when the profile does not
/// name the interface.
std::vector<Edit> follow_name(NMConnection *profile, const IfName &from, const IfName &to);

/// What to type to undo the edits of one profile.
std::string line_to_undo(const std::string &uuid, const std::vector<Edit> &edits);

/// Whether a profile that has the name as its interface-name can be meant for this port: one of type infiniband,
/// without a P_Key, and without another port's address.
bool may_be_for_port(NMConnection *profile, const Guid &port);

} // namespace nmib::cli
