// SPDX-License-Identifier: LGPL-2.1-or-later
/// Finds profiles by the names people give them. What the daemon knows counts; the keyfiles only save asking it.
#pragma once
#include "cli/daemon/daemon.hpp"

namespace nmib::cli
{

class Profiles
{
public:
    explicit Profiles(const Daemon &daemon) : daemon_(&daemon) {}
    const Daemon &daemon() const noexcept { return *daemon_; }
    /// All there are, in no order: as their keyfiles say, if these can be all, else as the daemon does.
    const std::vector<ProfileRef> &all() const;
    /// What nmcli finds for `SELECTOR VALUE` (an empty selector: anything), in its order. The object path is set.
    std::vector<ProfileRef> find(const std::string &selector, const std::string &value) const;
    /// Returns why the daemon did not list its profiles in time; null if it did, or was not asked for them.
    const Error *unanswered() const noexcept { return unanswered_ ? &*unanswered_ : nullptr; }
    /// Stores a new profile, on disk or in memory only; its object path.
    Result<std::string> add(NMConnection *connection, bool save) const;
    /// How many other profiles have this name.
    unsigned namesakes(const std::string &id, const std::string &uuid) const;
    /// A name that no profile has: `wanted`, `wanted-1`, ...
    std::string free_name(const std::string &wanted) const;

private:
    const Words &paths() const;
    /// What the keyfiles say; nothing where that is not as much as the daemon has.
    const std::optional<std::vector<ProfileRef>> &stored() const;
    /// What the daemon says, in its order, which takes as long as nmcli does.
    const std::vector<ProfileRef> &loaded() const;
    /// The only profile of this name, if the keyfiles tell of it and the daemon agrees.
    std::optional<ProfileRef> only_one(const std::string &id) const;
    /// Whether the daemon has `ref` under this name and from this file; sets its object path.
    bool confirm(ProfileRef &ref) const;
    /// Whether the daemon may know another one by this name, since its file was changed behind the daemon's back.
    bool may_hide_namesake(const ProfileRef &ref) const;

    const Daemon *daemon_;
    mutable std::optional<Words> paths_{};
    mutable std::optional<Error> unanswered_{};
    mutable std::optional<std::optional<std::vector<ProfileRef>>> stored_{};
    mutable std::optional<std::vector<ProfileRef>> loaded_{};
};

} // namespace nmib::cli
