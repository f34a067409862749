// SPDX-License-Identifier: LGPL-2.1-or-later
/// --root DIR: changes the tree of an image instead of the running machine.
#pragma once
#include "core/base/result.hpp"

#include <string>

namespace nmib::cli
{

/// Makes the directory this process's root, in a mount namespace of its own, with empty /dev, /proc, /run and /sys:
/// from then on nothing outside the tree can be opened, and no daemon or program answers. An Error if the kernel does
/// not allow it: a container without CAP_SYS_ADMIN, or an ordinary user without user namespaces.
Result<void> enter_image(const std::string &directory);
/// Returns true after enter_image().
bool in_image() noexcept;
/// In an image, adds to a text with a command of nm-ib that --root belongs to it.
std::string with_root(const std::string &text);

} // namespace nmib::cli
