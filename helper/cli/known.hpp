// SPDX-License-Identifier: LGPL-2.1-or-later
/// The other profiles, as far as their names matter. Read from NetworkManager's keyfiles: asking the daemon for
/// thousands of profiles takes seconds.
#pragma once
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib::cli
{

struct Known {
    std::string uuid, id, interface, type;
    std::string file{}; ///< absolute
    std::string path{}; ///< D-Bus object, as far as it is known
};

/// `connection` group of one keyfile. Nothing when it has no uuid of its own, so that only the daemon knows it.
std::optional<Known> parse_known(std::string_view text);

/// Every keyfile in the directories, of which earlier ones win. Nothing when one cannot be read: then only the daemon
/// knows.
std::optional<std::vector<Known>> scan_profiles(const std::vector<std::string> &directories);
/// Where NetworkManager keeps them, unless nm.conf says otherwise.
std::vector<std::string> profile_directories();

/// A scan that runs while the daemon is being talked to.
class ProfileScan
{
public:
    ProfileScan() : result_(std::async(std::launch::async, [] { return scan_profiles(profile_directories()); })) {}
    /// Once.
    std::optional<std::vector<Known>> take() { return result_.get(); }

private:
    std::future<std::optional<std::vector<Known>>> result_;
};

} // namespace nmib::cli
