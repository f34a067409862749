// SPDX-License-Identifier: LGPL-2.1-or-later
/// Giving a port a name: by `name set`, `name propose` and `name import`.
#pragma once
#include "cli/name/name_files.hpp"

#include <nlohmann/json_fwd.hpp>

namespace nmib::cli
{

/// Does what `files` say, tells the rest of the machine as far as `request` asks for it (profiles, --now), and prints
/// what was done, or adds it to `report`. Not the initramfs, which is made once for many names.
std::optional<Failure> give_name(const PortIdentity &port, const std::string &name, const NameFiles &files,
                                 const NameRequest &request, nlohmann::ordered_json &report);
/// Who is not root can write none of it.
std::optional<Failure> refuse_unless_root();
/// What goes wrong before anything is written.
Failure refused(const Error &why);

} // namespace nmib::cli
