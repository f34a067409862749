// SPDX-License-Identifier: LGPL-2.1-or-later
/// A NetworkManager profile, as its keyfile says (nm-settings-keyfile(5)).
#pragma once
#include "core/intent.hpp"
#include "core/pkey.hpp"
#include "core/rdma/words.hpp"
#include "core/result.hpp"
#include "probe/keyfile.hpp"

namespace nmib
{

/// The key in a profile's [user] section (nm-settings-nmcli(5), user.data) by which it opts out: "yes" or "true".
constexpr const char *skip_key = "nm-infiniband.skip";

struct Profile {
    std::string id, uuid;
    bool infiniband = false; ///< [connection] type=infiniband; the intent is empty otherwise, but for the features
    Intent intent;           ///< Intent::ifindex is not set
    RdmaWords rdma{};        ///< those that can be understood; none in a private profile (connection.permissions)
    std::vector<std::string> rdma_bad{}; ///< why others are ignored
    bool generated = false; ///< by NetworkManager, from an interface that others brought up: nobody asks for it
};

Result<Profile> parse_profile(const Keyfile &file, const std::string &name);
/// Reads the file NetworkManager names in CONNECTION_FILENAME: absolute, a regular file of root's.
Result<Profile> read_profile(const std::string &path);

} // namespace nmib
