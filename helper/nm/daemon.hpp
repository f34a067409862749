// SPDX-License-Identifier: LGPL-2.1-or-later
/// NetworkManager on D-Bus: single calls, no copy of all objects.
#pragma once
#include "nm/bus.hpp"
#include "terminal/words.hpp"

#include <NetworkManager.h>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <variant>

namespace nmib::cli
{

struct ProfileRef {
    std::string uuid = {}, id = {}, interface = {}, type = {};
    std::string path = {}; ///< of the D-Bus object
};

/// The running NetworkManager, with the calls that nm-ib needs.
class Daemon
{
public:
    /// Failure, as in nmcli: no bus (exit code 1), not running (8).
    static Result<Daemon, Failure> connect();

    bool running() const;
    /// nmcli's failure if NetworkManager does not run.
    static Failure not_running();
    /// nmcli's failure if NetworkManager does not answer.
    static Failure no_answer(const Error &why);
    /// Returns NetworkManager's version, "1.42.4"; empty if unknown.
    std::string version() const;

    Result<Variant> call(const char *path, const char *interface, const char *method, GVariant *args,
                         const char *reply) const;
    Result<Variant> property(const char *path, const char *interface, const char *name) const;

    /// Returns the object paths of all profiles, in the daemon's order.
    Result<Words> profile_paths() const;
    Result<Object<NMConnection>> profile(const std::string &path) const;
    Result<std::string> path_of(const std::string &uuid) const;
    /// Returns object paths in the order of `uuids`; empty for an unknown profile.
    Words paths_of(const Words &uuids) const;
    Result<std::string> path_of_device(const std::string &interface) const;
    /// Returns object paths in the order of `interfaces`; empty without a device, or if not UTF-8.
    Words paths_of_devices(const Words &interfaces) const;
    /// Returns all properties of the objects' D-Bus interface, in the order of `paths` (Properties.GetAll).
    std::vector<Result<Variant>> properties_of(const Words &paths, const char *interface) const;
    /// Adds a profile, on disk (`save`) or only in memory. Returns the object path.
    Result<std::string> add(NMConnection *connection, bool save) const;
    Result<void> update(const std::string &path, NMConnection *connection, bool save) const;
    Result<void> remove(const std::string &path) const;
    /// Calls `look` for each of the profiles. Skips profiles that cannot be read.
    void each_profile(const Words &uuids, const std::function<void(NMConnection *)> &look) const;
    /// Calls `look` for each path, with the profile or the Error.
    void each_profile_at(
        const Words &paths,
        const std::function<void(const std::string &path, const Result<Object<NMConnection>> &)> &look) const;
    /// Returns the path of each profile's file; empty without a file.
    Words ask_files(const Words &paths) const;
    /// Returns the names of the profiles. Skips profiles that cannot be read.
    std::vector<ProfileRef> ask_names(const Words &paths) const;

private:
    explicit Daemon(Bus bus) : bus_(std::move(bus)) {}

    Bus bus_;
};

struct DeviceState {
    unsigned number = 0;           ///< NMDeviceState
    std::string word{};            ///< nmcli's word, e.g. "connected"
    std::string profile{}, uuid{}; ///< active or activating; empty without a profile
};

/// Returns states by interface. Skips interfaces for which NetworkManager has no device.
std::map<std::string, DeviceState> ask_device_states(const Daemon &daemon, const Words &interfaces);

/// Returns the states of systemd units by name: "active", "inactive", "failed" ... Patterns may have "*". Empty with
/// another init system.
std::map<std::string, std::string> unit_states(const Bus &bus, std::initializer_list<const char *> patterns);

} // namespace nmib::cli
