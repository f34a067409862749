// SPDX-License-Identifier: LGPL-2.1-or-later
/// NetworkManager on the bus: single calls, no mirror of all its objects.
#pragma once
#include "cli/base/words.hpp"
#include "cli/daemon/bus.hpp"
#include "cli/daemon/names.hpp"

#include <NetworkManager.h>
#include <functional>
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
    /// A newer nmcli warns when the daemon is of another version than libnm: after an upgrade it may still be the one
    /// before.
    bool would_nmcli_warn() const;

    Result<Variant> call(const char *path, const char *interface, const char *method, GVariant *args,
                         const char *reply) const;
    Result<Variant> property(const char *path, const char *interface, const char *name) const;
    /// The same in two steps; the question goes with the next.
    Bus::Ticket ask_property(const char *path, const char *interface, const char *name) const;
    Result<Variant> property_in(const Bus::Ticket &asked) const;
    /// The same of many objects, in their order.
    std::vector<Result<Variant>> property_of_each(const Words &paths, const char *interface, const char *name) const;

    /// Asks for the object paths of all profiles; meanwhile something else can be done.
    Bus::Ticket ask_profiles() const;
    /// In the daemon's order.
    Result<Bus::Paths> profiles(const Bus::Ticket &asked) const;
    /// Of each new profile the daemon tells the paths of all to those who listen, so that it need not be asked.
    void listen_for_profiles() const;
    /// What was heard until `ask_to_add` was answered; else it is asked.
    Result<Bus::Paths> profiles_after_adding() const;
    Result<Object<NMConnection>> profile(const std::string &path) const;
    /// `profile` is going to be asked for this one: it is on its way while something else is done.
    void expect_profile(const std::string &path) const;
    Result<std::string> path_of(const std::string &uuid) const { return path_in(ask_path(uuid)); }
    /// The same in two steps.
    Bus::Ticket ask_path(const std::string &uuid) const;
    Result<std::string> path_in(const Bus::Ticket &asked) const;
    /// Of the device of this interface.
    Result<std::string> path_of_device(const std::string &interface) const;
    /// Has a new profile stored, on disk or in memory only; meanwhile something else can be done.
    Bus::Ticket ask_to_add(NMConnection *connection, bool save) const;
    /// The new profile's object path.
    Result<std::string> added(const Bus::Ticket &asked) const;
    Result<void> update(const std::string &path, NMConnection *connection, bool save) const;
    Result<void> remove(const std::string &path) const;
    /// Looks at the profiles with these UUIDs; those we may not see are left out.
    void each_profile(const Words &uuids, const std::function<void(NMConnection *)> &look) const;
    /// Looks at the profiles with these object paths, or at why one cannot be read.
    void each_profile_at(
        const Words &paths,
        const std::function<void(const std::string &path, const Result<Object<NMConnection>> &)> &look) const;
    /// The keyfile of each profile, empty where there is none.
    Words ask_files(const Words &paths) const;
    /// What the profiles are called; those we may not see are left out.
    std::vector<Known> ask_names(const Words &paths) const;

private:
    explicit Daemon(Bus bus) : bus_(std::move(bus)) {}
    /// Asks a question about many objects, some at once, and takes the answers in their order.
    void ask_each(const Words &paths, const std::function<Bus::Call(const std::string &path)> &question,
                  const std::function<void(const std::string &path, const Result<Variant> &)> &answer) const;

    struct Expected {
        std::string path{};
        Bus::Ticket asked{};
    };
    mutable Bus bus_;
    std::optional<Bus::Ticket> version_{}; ///< asked for where nmcli does
    mutable Expected expected_{};
};

} // namespace nmib::cli
