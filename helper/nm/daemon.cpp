// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/daemon.hpp"

#include "nm/properties.hpp"

namespace nmib::cli
{

namespace
{
constexpr const char *properties_interface = "org.freedesktop.DBus.Properties";

/// Returns true for UTF-8: D-Bus refuses other text.
bool is_text(const std::string &word) { return g_utf8_validate(word.c_str(), -1, nullptr); }

Bus::Call get_property(const char *path, const char *interface, const char *name)
{
    return {NM_DBUS_SERVICE, path, properties_interface, "Get", g_variant_new("(ss)", interface, name), "(v)"};
}
Result<Variant> value_in(const Result<Variant> &reply)
{
    if (!reply) return reply.error();
    GVariant *value = nullptr;
    g_variant_get(reply->get(), "(v)", &value);
    return Variant(value);
}

Bus::Call get_path(const std::string &uuid)
{
    return {NM_DBUS_SERVICE,
            NM_DBUS_PATH_SETTINGS,
            NM_DBUS_INTERFACE_SETTINGS,
            "GetConnectionByUuid",
            g_variant_new("(s)", uuid.c_str()),
            "(o)"};
}
Bus::Call get_device(const std::string &interface)
{
    return {NM_DBUS_SERVICE,
            NM_DBUS_PATH,
            NM_DBUS_SERVICE,
            "GetDeviceByIpIface",
            g_variant_new("(s)", interface.c_str()),
            "(o)"};
}
Result<std::string> path_of_reply(const Result<Variant> &reply)
{
    if (!reply) return reply.error();
    const char *path = nullptr;
    g_variant_get_child(reply->get(), 0, "&o", &path);
    return std::string(path);
}

/// Calls `question` for each word that is UTF-8. Returns the object paths in the order of `words`; empty without one.
Words each_path(const Bus &bus, const Words &words, Bus::Call (*question)(const std::string &))
{
    std::vector<std::size_t> texts;
    for (std::size_t i = 0; i < words.size(); i++)
        if (is_text(words[i])) texts.push_back(i);
    const auto replies = bus.call_each(texts.size(), [&](std::size_t i) { return question(words[texts[i]]); });
    Words paths(words.size());
    for (std::size_t i = 0; i < texts.size(); i++)
        if (auto path = path_of_reply(replies[i])) paths[texts[i]] = std::move(*path);
    return paths;
}
} // namespace

Result<Daemon, Failure> Daemon::connect()
{
    auto bus = Bus::open(Bus::of_libnm());
    if (!bus) return no_answer(bus.error());
    Daemon daemon(std::move(*bus));
    if (!daemon.running()) return not_running();
    return daemon;
}

bool Daemon::running() const
{
    constexpr const char *bus = "org.freedesktop.DBus";
    return bool(
        bus_.call({bus, "/org/freedesktop/DBus", bus, "GetNameOwner", g_variant_new("(s)", NM_DBUS_SERVICE), "(s)"}));
}

std::string Daemon::version() const
{
    const auto version = property(NM_DBUS_PATH, NM_DBUS_SERVICE, "Version");
    const bool known = version && g_variant_is_of_type(version->get(), G_VARIANT_TYPE_STRING);
    return known ? g_variant_get_string(version->get(), nullptr) : "";
}

Failure Daemon::not_running() { return {exit_not_running, nm("Error: NetworkManager is not running.")}; }

Failure Daemon::no_answer(const Error &why)
{
    return {exit_failed, nm_form(nm("Error: Could not create NMClient object: %s."), why.what.c_str())};
}

Result<Variant> Daemon::call(const char *path, const char *interface, const char *method, GVariant *args,
                             const char *reply) const
{
    return bus_.call({NM_DBUS_SERVICE, path, interface, method, args, reply});
}

Result<Variant> Daemon::property(const char *path, const char *interface, const char *name) const
{
    return value_in(bus_.call(get_property(path, interface, name)));
}

Result<Words> Daemon::profile_paths() const
{
    const auto reply = call(NM_DBUS_PATH_SETTINGS, NM_DBUS_INTERFACE_SETTINGS, "ListConnections", nullptr, "(ao)");
    if (!reply) return reply.error();
    const Variant all(g_variant_get_child_value(reply->get(), 0));
    const std::unique_ptr<const char *, Freer<g_free>> paths(g_variant_get_objv(all.get(), nullptr));
    Words words;
    for (const char *const *path = paths.get(); *path; path++) words.emplace_back(*path);
    return words;
}

Result<std::string> Daemon::path_of(const std::string &uuid) const
{
    if (!is_text(uuid)) return bad("");
    return path_of_reply(bus_.call(get_path(uuid)));
}

Words Daemon::paths_of(const Words &uuids) const { return each_path(bus_, uuids, get_path); }

Result<std::string> Daemon::path_of_device(const std::string &interface) const
{
    if (!is_text(interface)) return bad("");
    return path_of_reply(bus_.call(get_device(interface)));
}

Words Daemon::paths_of_devices(const Words &interfaces) const { return each_path(bus_, interfaces, get_device); }

std::vector<Result<Variant>> Daemon::properties_of(const Words &paths, const char *interface) const
{
    return bus_.call_each(paths.size(), [&](std::size_t i) {
        return Bus::Call{
            NM_DBUS_SERVICE, paths[i].c_str(), properties_interface, "GetAll", g_variant_new("(s)", interface),
            "(a{sv})"};
    });
}

Result<void> Daemon::remove(const std::string &path) const
{
    if (const auto reply = call(path.c_str(), NM_DBUS_INTERFACE_SETTINGS_CONNECTION, "Delete", nullptr, "()"); !reply)
        return reply.error();
    return {};
}

Words Daemon::ask_files(const Words &paths) const
{
    Words files;
    const auto question = [&](std::size_t i) {
        return get_property(paths[i].c_str(), NM_DBUS_INTERFACE_SETTINGS_CONNECTION, "Filename");
    };
    for (const auto &reply : bus_.call_each(paths.size(), question)) {
        const auto value = value_in(reply);
        const bool known = value && g_variant_is_of_type(value->get(), G_VARIANT_TYPE_STRING);
        files.emplace_back(known ? g_variant_get_string(value->get(), nullptr) : "");
    }
    return files;
}

namespace
{
/// nmcli's words (src/libnmc-base/nm-client-utils.c, nmc_device_state_to_string).
const char *word_of(unsigned state)
{
    switch (state) {
    case NM_DEVICE_STATE_UNMANAGED: return "unmanaged";
    case NM_DEVICE_STATE_UNAVAILABLE: return "unavailable";
    case NM_DEVICE_STATE_DISCONNECTED: return "disconnected";
    case NM_DEVICE_STATE_PREPARE:
    case NM_DEVICE_STATE_CONFIG:
    case NM_DEVICE_STATE_NEED_AUTH:
    case NM_DEVICE_STATE_IP_CONFIG:
    case NM_DEVICE_STATE_IP_CHECK:
    case NM_DEVICE_STATE_SECONDARIES: return "connecting";
    case NM_DEVICE_STATE_ACTIVATED: return "connected";
    case NM_DEVICE_STATE_DEACTIVATING: return "deactivating";
    case NM_DEVICE_STATE_FAILED: return "failed";
    default: return "unknown";
    }
}

/// Returns the properties of the objects that replied, by index in `paths`.
std::map<std::size_t, Properties> ask(const Daemon &daemon, const Words &paths, const char *interface)
{
    std::map<std::size_t, Properties> all;
    const auto replies = daemon.properties_of(paths, interface);
    for (std::size_t i = 0; i < paths.size(); i++)
        if (replies[i]) all.emplace(i, Properties(Variant(g_variant_get_child_value(replies[i]->get(), 0))));
    return all;
}
} // namespace

std::map<std::string, DeviceState> ask_device_states(const Daemon &daemon, const Words &interfaces)
{
    Words known, devices, active;
    const auto paths = daemon.paths_of_devices(interfaces);
    for (std::size_t i = 0; i < paths.size(); i++) {
        if (paths[i].empty()) continue;
        known.push_back(interfaces[i]);
        devices.push_back(paths[i]);
    }
    std::map<std::string, DeviceState> states;
    Words activated; // the interfaces of `active`
    for (const auto &[i, about] : ask(daemon, devices, "org.freedesktop.NetworkManager.Device")) {
        const auto number = about.number("State");
        states[known[i]] = {.number = number, .word = word_of(number)};
        if (auto path = about.object("ActiveConnection"); !path.empty()) {
            active.push_back(std::move(path));
            activated.push_back(known[i]);
        }
    }
    for (const auto &[i, about] : ask(daemon, active, "org.freedesktop.NetworkManager.Connection.Active")) {
        states[activated[i]].profile = about.text("Id");
        states[activated[i]].uuid = about.text("Uuid");
    }
    return states;
}

std::map<std::string, std::string> unit_states(const Bus &bus, std::initializer_list<const char *> patterns)
{
    GVariantBuilder states, names;
    g_variant_builder_init(&states, G_VARIANT_TYPE("as"));
    g_variant_builder_init(&names, G_VARIANT_TYPE("as"));
    for (const auto *p : patterns) g_variant_builder_add(&names, "s", p);
    const auto reply =
        bus.call({"org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
                  "ListUnitsByPatterns", g_variant_new("(asas)", &states, &names), "(a(ssssssouso))"});
    std::map<std::string, std::string> all;
    if (!reply) return all; // another init system, or an old systemd
    const Variant list(g_variant_get_child_value(reply->get(), 0));
    for (gsize i = 0; i < g_variant_n_children(list.get()); i++) {
        const Variant unit(g_variant_get_child_value(list.get(), i));
        const char *name = nullptr, *state = nullptr;
        g_variant_get_child(unit.get(), 0, "&s", &name);
        g_variant_get_child(unit.get(), 3, "&s", &state); // name, description, load state, active state
        all[name] = state;
    }
    return all;
}

} // namespace nmib::cli
