// SPDX-License-Identifier: LGPL-2.1-or-later
/// How the verbs of `nm-ib name` tell what they found and did.
#pragma once
#include "cli/base/json.hpp"
#include "cli/base/prompt.hpp"
#include "cli/name/request.hpp"
#include "core/name/name_state.hpp"

namespace nmib::cli
{

/// What any of them says of a port: "port", "hca", "number", "bus", "guid", "interface".
Json json_of(const PortIdentity &port);
/// "name", "file", "state", "text".
Json json_of(const NameState &state);

/// After files were written or removed: makes the initramfs anew where there is one, or says what to run. One word for
/// machines: "updated", "none", "left", "failed".
std::string tell_initramfs(const NameRequest &request);

} // namespace nmib::cli
