// SPDX-License-Identifier: LGPL-2.1-or-later
/// Reads the administrator's Policy: nm-ib.conf(5) and quirk files, nm-ib-quirks(5). A mistake costs its line, or its
/// quirk if the quirk could match more than it should. Each mistake is a warning that names file, line and key.
#pragma once
#include "core/base/result.hpp"
#include "core/plan/policy.hpp"

#include <string>
#include <vector>

namespace nmib
{

struct PolicyPaths {
    std::string conf;         ///< nm-ib.conf; may be missing
    std::string quirks;       ///< the package's directory
    std::string quirks_admin; ///< the administrator's directory: replaces files of the same name; an empty file masks
};

/// The paths of this build (NMIB_CONF, NMIB_QUIRKS).
PolicyPaths installed_policy_paths();

struct PolicyRead {
    Policy policy;               ///< removes no leftovers if a file cannot be read: the file may say so
    std::vector<Error> warnings; ///< what is ignored, with reasons
    std::string digest;          ///< differs if a path or a text differs
};
PolicyRead read_policy(const PolicyPaths &paths);

/// Parses nm-ib.conf into `policy`. `name` is used in warnings.
void parse_conf(const std::string &text, const std::string &name, Policy &policy, std::vector<Error> &warnings);
/// Returns the quirks that hold.
std::vector<Quirk> parse_quirks(const std::string &text, const std::string &name, std::vector<Error> &warnings);

} // namespace nmib
