// SPDX-License-Identifier: LGPL-2.1-or-later
/// Before it was below /run/NetworkManager, the state directory was /run/nm-infiniband. A running machine that is
/// upgraded keeps what is there.
#pragma once
#include "core/base/result.hpp"

#include <string>

namespace nmib
{

/// Moves the files of the directory `from` to the directory `to`, and makes `from` a symlink to it: the plugin in the
/// running daemon goes on writing there. The locks on the files stay. True if there was something to move.
Result<bool> move_state(const std::string &from, const std::string &to);

/// Removes the symlink `from` if it leads to `to`, as `move_state` makes it.
void remove_state_symlink(const std::string &from, const std::string &to);

} // namespace nmib
