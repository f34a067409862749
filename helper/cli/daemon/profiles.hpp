// SPDX-License-Identifier: LGPL-2.1-or-later
/// Finds profiles by the names people give them.
#pragma once
#include "cli/daemon/daemon.hpp"

namespace nmib::cli
{

/// All profiles there are, asked for once and only when needed.
class Profiles
{
public:
    explicit Profiles(const Daemon &daemon) : daemon_(&daemon) {}
    const Daemon &daemon() const noexcept { return *daemon_; }
    /// Of all profiles. One that is called `likely` is asked for meanwhile: it is nearly always the one that is meant.
    const Names &names(const std::string &likely = {}) const;
    /// What nmcli finds for `SELECTOR VALUE` (an empty selector: anything), in its order. The object path is set.
    std::vector<Known> find(const std::string &selector, const std::string &value) const;
    /// Stores a new profile, on disk or in memory only; its object path. Those that were there before are read
    /// meanwhile.
    Result<std::string> add(NMConnection *connection, bool save) const;
    /// How many other profiles have this name.
    unsigned namesakes(const std::string &id, const std::string &uuid) const;

private:
    void settle(std::optional<Names> scanned, Result<Bus::Paths> listed) const;
    /// Takes the names from the daemon, which takes as long as nmcli does.
    void ask() const;

    const Daemon *daemon_;
    mutable std::optional<Names> names_;
    mutable Bus::Paths paths_;
    mutable std::string likely_uuid_, likely_path_;
    mutable bool asked_ = false;
};

/// Has the file in which a profile was found another name than the daemon knows? It was edited, and not loaded.
bool is_renamed(const Known &known, NMConnection *connection);

} // namespace nmib::cli
