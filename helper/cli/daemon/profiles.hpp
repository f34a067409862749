// SPDX-License-Identifier: LGPL-2.1-or-later
/// Finds profiles by the names people give them, among those that the daemon has; they are asked for once.
#pragma once
#include "cli/daemon/daemon.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace nmib::cli
{

// Where NetworkManager's keyfiles are.

/// Where NetworkManager keeps them, unless nm.conf says otherwise; what is only in memory hides what is stored.
std::vector<std::string> profile_directories();
/// Would NetworkManager read a file of this name in `directory`? In /etc it takes any name but those of hidden, backup
/// and temporary files, certificates and keys; elsewhere only *.nmconnection (nm_keyfile_utils_ignore_filename,
/// nm-keyfile.c; the same from 1.42 to 1.56).
bool is_keyfile_name(const std::string &directory, std::string_view name);

class Profiles
{
public:
    explicit Profiles(const Daemon &daemon) : daemon_(&daemon) {}
    const Daemon &daemon() const noexcept { return *daemon_; }
    /// All there are, in the daemon's order.
    const std::vector<ProfileRef> &all() const;
    /// What nmcli finds for `SELECTOR VALUE` (an empty selector: anything), in its order. The object path is set.
    std::vector<ProfileRef> find(const std::string &selector, const std::string &value) const;
    /// Returns why the daemon did not list its profiles in time; null if it did, or was not asked for them.
    const Error *unanswered() const noexcept { return unanswered_ ? &*unanswered_ : nullptr; }
    /// How many other profiles have this name.
    unsigned namesakes(const std::string &id, const std::string &uuid) const;
    /// A name that no profile has: `wanted`, `wanted-1`, ...
    std::string free_name(const std::string &wanted) const;

private:
    const Words &paths() const;

    const Daemon *daemon_;
    mutable std::optional<Words> paths_{};
    mutable std::optional<Error> unanswered_{};
    mutable std::optional<std::vector<ProfileRef>> all_{};
};

} // namespace nmib::cli
