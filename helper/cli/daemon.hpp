// SPDX-License-Identifier: LGPL-2.1-or-later
/// NetworkManager on the bus: single calls, no mirror of all its objects.
#pragma once
#include "cli/gobject.hpp"
#include "cli/known.hpp"
#include "cli/words.hpp"

#include <NetworkManager.h>
#include <variant>

namespace nmib::cli
{

class Daemon
{
public:
    /// nmcli's failures: no bus (1), not running (8).
    static std::variant<Daemon, Failure> connect();

    bool running() const;
    /// nmcli's failure when it is not.
    static Failure not_running();

    Result<Variant> call(const char *path, const char *interface, const char *method, GVariant *args,
                         const char *reply) const;
    Result<Variant> property(const char *path, const char *interface, const char *name) const;

    /// Object paths, in the daemon's order.
    Result<Words> profiles() const;
    Result<Object<NMConnection>> profile(const std::string &path) const;
    Result<std::string> path_of(const std::string &uuid) const;
    /// Stores a new profile, on disk or in memory only; its object path.
    Result<std::string> add(NMConnection *connection, bool save) const;
    Result<void> update(const std::string &path, NMConnection *connection, bool save) const;
    /// What the profiles are called; those we may not see are left out.
    std::vector<Known> ask_names(const Words &paths) const;

private:
    explicit Daemon(Object<GDBusConnection> bus) : bus_(std::move(bus)) {}
    Object<GDBusConnection> bus_;
};

/// The profiles there are, asked for once and only when needed.
class Profiles
{
public:
    Profiles(const Daemon &daemon, ProfileScan &scan) : daemon_(&daemon), scan_(&scan) {}
    const std::vector<Known> &all() const;
    /// What nmcli finds for `SELECTOR VALUE` (an empty selector: anything), in its order. The object path is set.
    std::vector<Known> find(const std::string &selector, const std::string &value) const;
    /// How many other profiles have this name.
    unsigned namesakes(const std::string &id, const std::string &uuid) const;

private:
    const Daemon *daemon_;
    ProfileScan *scan_;
    mutable std::optional<std::vector<Known>> all_;
    mutable Words paths_;
};

} // namespace nmib::cli
