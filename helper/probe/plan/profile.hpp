// SPDX-License-Identifier: LGPL-2.1-or-later
/// A NetworkManager profile, as its keyfile says (nm-settings-keyfile(5)).
#pragma once
#include "core/base/result.hpp"
#include "core/ib/pkey.hpp"
#include "core/plan/facts.hpp"
#include "probe/base/keyfile.hpp"

namespace nmib
{

struct Profile {
    std::string id, uuid;
    bool infiniband = false; ///< [connection] type=infiniband; the intent is empty otherwise, but for the features
    Intent intent;           ///< Intent::ifindex and skip are not set
    bool is_private = false; ///< only some users may use it (connection.permissions)
    bool generated = false;  ///< by NetworkManager, from an interface that others brought up: no user asks for it
};

Result<Profile> parse_profile(const Keyfile &file, const std::string &name);
/// Reads the file NetworkManager names in CONNECTION_FILENAME: absolute, a regular file of root's.
Result<Profile> read_profile(const std::string &path);

} // namespace nmib
