// SPDX-License-Identifier: LGPL-2.1-or-later
/// Takes fragile names out of the files of others, and keeps a copy.
#pragma once
#include "core/base/result.hpp"
#include "core/name/import.hpp"

namespace nmib
{

/// Takes `names` out of a file: their lines become comments, and a .link file goes whole. What was there is kept beside
/// it, in a file that neither udev nor NetworkManager, the initscripts or the tools for an initramfs read; the path of
/// that copy. An error, and nothing changed, when the file is not what `file` says any more, or is a link.
Result<std::string> take_out(const FragileFile &file, std::span<const FragileName> names);

} // namespace nmib
