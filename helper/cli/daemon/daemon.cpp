// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/daemon.hpp"

#include "cli/base/version.hpp"

#include <utility>

namespace nmib::cli
{

namespace
{
constexpr const char *service = "org.freedesktop.NetworkManager";
constexpr const char *manager_path = "/org/freedesktop/NetworkManager";
constexpr const char *settings_path = "/org/freedesktop/NetworkManager/Settings";
constexpr const char *settings_interface = "org.freedesktop.NetworkManager.Settings";
constexpr const char *properties_interface = "org.freedesktop.DBus.Properties";
constexpr const char *profile_interface = "org.freedesktop.NetworkManager.Settings.Connection";

std::string text_in(GVariant *group, const char *key)
{
    const char *value = nullptr;
    return g_variant_lookup(group, key, "&s", &value) ? value : "";
}

std::optional<Known> known_from(GVariant *settings, const std::string &path)
{
    const Variant group(g_variant_lookup_value(settings, "connection", G_VARIANT_TYPE_VARDICT));
    if (!group) return std::nullopt;
    return Known{text_in(group.get(), "uuid"),
                 text_in(group.get(), "id"),
                 text_in(group.get(), "interface-name"),
                 text_in(group.get(), "type"),
                 {},
                 path};
}

/// A question to the bus itself.
Bus::Call to_bus(const char *method, GVariant *args)
{
    constexpr const char *bus = "org.freedesktop.DBus";
    return {bus, "/org/freedesktop/DBus", bus, method, args, "(s)"};
}

Bus::Call get_settings(const std::string &path)
{
    return {service, path.c_str(), profile_interface, "GetSettings", nullptr, "(a{sa{sv}})"};
}
Bus::Call get_property(const char *path, const char *interface, const char *name)
{
    return {service, path, properties_interface, "Get", g_variant_new("(ss)", interface, name), "(v)"};
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
    return {service, settings_path, settings_interface, "GetConnectionByUuid", g_variant_new("(s)", uuid.c_str()),
            "(o)"};
}
Result<std::string> path_of_reply(const Result<Variant> &reply)
{
    if (!reply) return reply.error();
    const char *path = nullptr;
    g_variant_get_child(reply->get(), 0, "&o", &path);
    return std::string(path);
}

Result<Object<NMConnection>> profile_in(const Result<Variant> &reply, const std::string &path)
{
    if (!reply) return reply.error();
    const Variant settings(g_variant_get_child_value(reply->get(), 0));
    Object<NMConnection> c(nm_simple_connection_new());
    GErrorSlot error;
    if (!nm_connection_replace_settings(c.get(), settings.get(), error)) return bad(error.message());
    nm_connection_set_path(c.get(), path.c_str());
    return c;
}

/// libnm makes its types when they are first used: better while we wait for the bus than later.
void make_types()
{
    using New = NMSetting *();
    for (New *make : {nm_setting_connection_new, nm_setting_infiniband_new, nm_setting_ip4_config_new,
                      nm_setting_ip6_config_new, nm_setting_proxy_new})
        g_object_unref(make());
}
} // namespace

std::variant<Daemon, Failure> Daemon::connect()
{
    const auto no_bus = [](const Error &e) {
        return Failure{exit_failed, form(nm("Error: Could not create NMClient object: %s."), e.what.c_str())};
    };
    auto bus = Bus::open();
    if (!bus) return no_bus(bus.error());
    const auto hello = bus->post(to_bus("Hello", nullptr));
    const auto owner = bus->post(to_bus("GetNameOwner", g_variant_new("(s)", service)));
    std::optional<Bus::Ticket> version;
    if (has_version(44)) version = bus->post(get_property(manager_path, service, "Version"));
    (void)bus->send();
    make_types();
    if (const auto heard = bus->answer(hello); !heard) return no_bus(heard.error());
    if (!bus->answer(owner)) return not_running();
    Daemon daemon(std::move(*bus));
    daemon.version_ = version;
    return daemon;
}

bool Daemon::running() const
{
    return bool(bus_.answer(bus_.post(to_bus("GetNameOwner", g_variant_new("(s)", service)))));
}

bool Daemon::would_nmcli_warn() const
{
    if (!version_) return false;
    const auto version = property_in(*version_);
    const auto n = nm_utils_version();
    return !version || !g_variant_is_of_type(version->get(), G_VARIANT_TYPE_STRING) ||
           form("%u.%u.%u", n >> 16, n >> 8 & 0xff, n & 0xff) != g_variant_get_string(version->get(), nullptr);
}

Failure Daemon::not_running() { return {exit_not_running, nm("Error: NetworkManager is not running.")}; }

Result<Variant> Daemon::call(const char *path, const char *interface, const char *method, GVariant *args,
                             const char *reply) const
{
    return bus_.answer(bus_.post({service, path, interface, method, args, reply}));
}

Result<Variant> Daemon::property(const char *path, const char *interface, const char *name) const
{
    return property_in(ask_property(path, interface, name));
}

Bus::Ticket Daemon::ask_property(const char *path, const char *interface, const char *name) const
{
    return bus_.post(get_property(path, interface, name));
}

Result<Variant> Daemon::property_in(const Bus::Ticket &asked) const { return value_in(bus_.answer(asked)); }

void Daemon::ask_each(const Words &paths, const std::function<Bus::Call(const std::string &path)> &question,
                      const std::function<void(const std::string &path, const Result<Variant> &)> &answer) const
{
    constexpr std::size_t at_once = 64; // a bus limits open calls, by default to 128
    for (std::size_t first = 0; first < paths.size(); first += at_once) {
        const auto some = std::span(paths).subspan(first, std::min(at_once, paths.size() - first));
        std::vector<Bus::Ticket> tickets;
        for (const auto &path : some) tickets.push_back(bus_.post(question(path)));
        for (std::size_t i = 0; i < some.size(); i++) answer(some[i], bus_.answer(tickets[i]));
    }
}

std::vector<Result<Variant>> Daemon::property_of_each(const Words &paths, const char *interface, const char *name) const
{
    std::vector<Result<Variant>> all;
    ask_each(
        paths, [&](const std::string &path) { return get_property(path.c_str(), interface, name); },
        [&](const std::string &, const Result<Variant> &reply) { all.push_back(value_in(reply)); });
    return all;
}

Bus::Ticket Daemon::ask_profiles() const
{
    const auto ticket = bus_.post({service, settings_path, settings_interface, "ListConnections", nullptr, "(ao)"});
    (void)bus_.send(); // a failure is told to whoever wants the answer
    return ticket;
}

Result<Bus::Paths> Daemon::profiles(const Bus::Ticket &asked) const { return bus_.answer_paths(asked); }

void Daemon::listen_for_profiles() const
{
    (void)bus_.post(to_bus("AddMatch", g_variant_new("(s)", form("type='signal',sender='%s',path='%s',"
                                                                 "interface='%s',member='PropertiesChanged'",
                                                                 service, settings_path, properties_interface)
                                                                .c_str())));
}

Result<Bus::Paths> Daemon::profiles_after_adding() const
{
    if (auto paths = bus_.told_paths("Connections")) return std::move(*paths);
    return profiles(ask_profiles());
}

void Daemon::expect_profile(const std::string &path) const
{
    if (expected_.path == path) return;
    expected_ = {path, bus_.post(get_settings(path))};
    (void)bus_.send();
}

Result<Object<NMConnection>> Daemon::profile(const std::string &path) const
{
    expect_profile(path);
    return profile_in(bus_.answer(std::exchange(expected_, {}).asked), path);
}

Bus::Ticket Daemon::ask_path(const std::string &uuid) const
{
    const auto ticket = bus_.post(get_path(uuid));
    (void)bus_.send();
    return ticket;
}

Result<std::string> Daemon::path_in(const Bus::Ticket &asked) const { return path_of_reply(bus_.answer(asked)); }

Result<std::string> Daemon::path_of_device(const std::string &interface) const
{
    return path_of_reply(
        call(manager_path, service, "GetDeviceByIpIface", g_variant_new("(s)", interface.c_str()), "(o)"));
}

Bus::Ticket Daemon::ask_to_add(NMConnection *connection, bool save) const
{
    const unsigned flags = save ? NM_SETTINGS_ADD_CONNECTION2_FLAG_TO_DISK : NM_SETTINGS_ADD_CONNECTION2_FLAG_IN_MEMORY;
    const auto ticket =
        bus_.post({service, settings_path, settings_interface, "AddConnection2",
                   g_variant_new("(@a{sa{sv}}u@a{sv})", nm_connection_to_dbus(connection, NM_CONNECTION_SERIALIZE_ALL),
                                 flags, g_variant_new_array(G_VARIANT_TYPE("{sv}"), nullptr, 0)),
                   "(oa{sv})"});
    (void)bus_.send();
    return ticket;
}

Result<std::string> Daemon::added(const Bus::Ticket &asked) const { return path_of_reply(bus_.answer(asked)); }

Result<void> Daemon::update(const std::string &path, NMConnection *connection, bool save) const
{
    const unsigned flags = save ? NM_SETTINGS_UPDATE2_FLAG_TO_DISK : NM_SETTINGS_UPDATE2_FLAG_IN_MEMORY;
    const auto reply =
        call(path.c_str(), profile_interface, "Update2",
             g_variant_new("(@a{sa{sv}}u@a{sv})", nm_connection_to_dbus(connection, NM_CONNECTION_SERIALIZE_ALL), flags,
                           g_variant_new_array(G_VARIANT_TYPE("{sv}"), nullptr, 0)),
             "(a{sv})");
    if (!reply) return reply.error();
    return {};
}

Result<void> Daemon::remove(const std::string &path) const
{
    if (const auto reply = call(path.c_str(), profile_interface, "Delete", nullptr, "()"); !reply) return reply.error();
    return {};
}

void Daemon::each_profile(const Words &uuids, const std::function<void(NMConnection *)> &look) const
{
    Words paths;
    ask_each(uuids, get_path, [&](const std::string &, const Result<Variant> &reply) {
        if (auto path = path_of_reply(reply)) paths.push_back(std::move(*path));
    });
    each_profile_at(paths, [&](const std::string &, const Result<Object<NMConnection>> &profile) {
        if (profile) look(profile->get());
    });
}

void Daemon::each_profile_at(
    const Words &paths,
    const std::function<void(const std::string &path, const Result<Object<NMConnection>> &)> &look) const
{
    ask_each(paths, get_settings,
             [&](const std::string &path, const Result<Variant> &reply) { look(path, profile_in(reply, path)); });
}

Words Daemon::ask_files(const Words &paths) const
{
    Words files;
    for (const auto &value : property_of_each(paths, profile_interface, "Filename")) {
        const bool known = value && g_variant_is_of_type(value->get(), G_VARIANT_TYPE_STRING);
        files.emplace_back(known ? g_variant_get_string(value->get(), nullptr) : "");
    }
    return files;
}

std::vector<Known> Daemon::ask_names(const Words &paths) const
{
    std::vector<Known> all;
    ask_each(paths, get_settings, [&](const std::string &path, const Result<Variant> &reply) {
        if (!reply) return;
        const Variant settings(g_variant_get_child_value(reply->get(), 0));
        if (auto k = known_from(settings.get(), path)) all.push_back(std::move(*k));
    });
    return all;
}

} // namespace nmib::cli
