// SPDX-License-Identifier: LGPL-2.1-or-later
/// Keeps what is learned of an interface in /run/NetworkManager/nm-infiniband.
#pragma once
#include "probe/plan/state.hpp"

namespace nmib
{

/// Writes the file of this kind about an interface, in the directory `state`, which is made if there is none. Only root
/// can read it, unless it is a ceiling.
Result<void> keep_state(const std::string &state, std::string_view kind, const IfName &name, int ifindex,
                        const std::string &text);
/// The same of a kind that follows its interface through renames.
Result<void> keep_state(const std::string &state, std::string_view kind, int ifindex, const std::string &text);

} // namespace nmib
