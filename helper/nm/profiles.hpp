// SPDX-License-Identifier: LGPL-2.1-or-later
/// Finds the daemon's profiles by name. Reads the profiles once.
#pragma once
#include "nm/daemon.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace nmib::cli
{

/// Returns NetworkManager's default directories of keyfiles, highest priority first: memory hides disk.
std::vector<std::string> profile_directories();
/// Returns true if NetworkManager reads a file of this name in `directory`. In /etc: any name except hidden, backup and
/// temporary files, certificates and keys. Elsewhere: only *.nmconnection (nm-keyfile.c,
/// nm_keyfile_utils_ignore_filename; the same from 1.42 to 1.56).
bool is_keyfile_name(const std::string &directory, std::string_view name);

class Profiles
{
public:
    explicit Profiles(const Daemon &daemon) : daemon_(&daemon) {}
    const Daemon &daemon() const noexcept { return *daemon_; }
    /// In the daemon's order.
    const std::vector<ProfileRef> &all() const;
    /// Returns nmcli's matches for `SELECTOR VALUE`, in nmcli's order. An empty selector matches any kind of name. Only
    /// the object path is always set.
    std::vector<ProfileRef> find(const std::string &selector, const std::string &value) const;
    /// Returns the Error if the daemon did not list its profiles in time, otherwise null.
    const Error *unanswered() const noexcept { return unanswered_ ? &*unanswered_ : nullptr; }
    /// Returns the number of other profiles with this name.
    unsigned namesakes(const std::string &id, const std::string &uuid) const;
    /// Returns the first unused name: `wanted`, `wanted-1`, ...
    std::string free_name(const std::string &wanted) const;

private:
    const Words &paths() const;

    const Daemon *daemon_;
    mutable std::optional<Words> paths_{};
    mutable std::optional<Error> unanswered_{};
    mutable std::optional<std::vector<ProfileRef>> all_{};
};

} // namespace nmib::cli
