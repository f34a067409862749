// SPDX-License-Identifier: LGPL-2.1-or-later
/// Removes fragile names from files of other tools, and keeps copies.
#pragma once
#include "core/base/result.hpp"
#include "core/name/import.hpp"

namespace nmib
{

/// Removes `names` from a file: their lines become comments, and a .link file is removed. Returns the path of a copy
/// beside the file, which udev, NetworkManager, the initscripts and initramfs tools do not read. Changes nothing, with
/// an Error, if the file is a link or differs from `file`.
Result<std::string> take_out(const FragileFile &file, std::span<const FragileName> names);

} // namespace nmib
