// SPDX-License-Identifier: LGPL-2.1-or-later
/// NetworkManager on the bus: single calls, no mirror of all its objects.
#pragma once
#include "cli/base/words.hpp"
#include "cli/daemon/bus.hpp"

#include <NetworkManager.h>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <variant>

namespace nmib::cli
{

/// What a profile is called, and where it is.
struct ProfileRef {
    std::string uuid = {}, id = {}, interface = {}, type = {};
    std::string path = {}; ///< its D-Bus object
};

class Daemon
{
public:
    /// nmcli's failures: no bus (1), not running (8).
    static std::variant<Daemon, Failure> connect();

    bool running() const;
    /// nmcli's failure when it is not.
    static Failure not_running();
    /// nmcli's failure if it cannot ask.
    static Failure no_answer(const Error &why);
    /// As it says itself, "1.42.4"; empty where it does not.
    std::string version() const;

    Result<Variant> call(const char *path, const char *interface, const char *method, GVariant *args,
                         const char *reply) const;
    Result<Variant> property(const char *path, const char *interface, const char *name) const;

    /// The object paths of all profiles, in the daemon's order.
    Result<Words> profile_paths() const;
    Result<Object<NMConnection>> profile(const std::string &path) const;
    Result<std::string> path_of(const std::string &uuid) const;
    /// The same of many, in their order; empty where there is none.
    Words paths_of(const Words &uuids) const;
    /// Of the device of this interface.
    Result<std::string> path_of_device(const std::string &interface) const;
    /// The same of many, in their order; empty where there is none.
    Words paths_of_devices(const Words &interfaces) const;
    /// All properties of objects that have this interface, in their order (org.freedesktop.DBus.Properties, GetAll).
    std::vector<Result<Variant>> properties_of(const Words &paths, const char *interface) const;
    /// Has a new profile stored, on disk or in memory only; its object path.
    Result<std::string> add(NMConnection *connection, bool save) const;
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
    std::vector<ProfileRef> ask_names(const Words &paths) const;

private:
    explicit Daemon(Bus bus) : bus_(std::move(bus)) {}

    Bus bus_;
};

/// What NetworkManager says of a device.
struct DeviceState {
    unsigned number = 0;           ///< NMDeviceState
    std::string word{};            ///< nmcli's word for it, e.g. "connected"
    std::string profile{}, uuid{}; ///< that is active, or on its way there; empty without one
};

/// By interface; those that NetworkManager has no device for are left out.
std::map<std::string, DeviceState> ask_device_states(const Daemon &daemon, const Words &interfaces);

/// What systemd says of the units that it has with these names (with "*"): "active", "inactive", "failed" ... Empty
/// with another init.
std::map<std::string, std::string> unit_states(const Bus &bus, std::initializer_list<const char *> patterns);

} // namespace nmib::cli
