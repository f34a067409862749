// SPDX-License-Identifier: LGPL-2.1-or-later
/// Gives a port a name, for `name set`, `name propose` and `name import`.
#pragma once
#include "terminal/json_fwd.hpp"
#include "verbs/name/name_files.hpp"

namespace nmib::cli
{

/// Writes `files`; with --now, renames the interface and its profiles. Prints the result, or adds it to `report`. Does
/// not rebuild the initramfs: callers do that once for many names.
Status give_name(const PortIdentity &port, const std::string &name, const NameFiles &files, const NameRequest &request,
                 Json &report);
Status refuse_unless_root();
/// Whether `propose` or `import` writes: if it is possible, with --yes or after the question; a Failure unless root.
Result<bool, Failure> writes(const NameRequest &request, bool possible, const char *question);

} // namespace nmib::cli
