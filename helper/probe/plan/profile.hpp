// SPDX-License-Identifier: LGPL-2.1-or-later
/// A NetworkManager profile, read from its keyfile (nm-settings-keyfile(5)).
#pragma once
#include "core/base/result.hpp"
#include "core/ib/pkey.hpp"
#include "core/plan/facts.hpp"
#include "probe/base/keyfile.hpp"

namespace nmib
{

struct Profile {
    std::string id, uuid;
    bool infiniband = false; ///< [connection] type=infiniband; otherwise the intent has only profile and features
    Intent intent;           ///< without ifindex and skip
    bool is_private = false; ///< restricted to some users (connection.permissions)
    bool generated = false;  ///< made by NetworkManager for an external interface; no user's request
};

Result<Profile> parse_profile(const Keyfile &file, const std::string &name);
/// Reads the file in CONNECTION_FILENAME. Error: the path is relative, or the file is not a regular file of root.
Result<Profile> read_profile(const std::string &path);

} // namespace nmib
