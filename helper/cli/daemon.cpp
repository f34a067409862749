// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon.hpp"

namespace nmib::cli
{

namespace
{
constexpr const char *service = "org.freedesktop.NetworkManager";
constexpr const char *settings_path = "/org/freedesktop/NetworkManager/Settings";
constexpr const char *settings_interface = "org.freedesktop.NetworkManager.Settings";
constexpr const char *profile_interface = "org.freedesktop.NetworkManager.Settings.Connection";

std::string plain_message(GError *error)
{
    g_dbus_error_strip_remote_error(error);
    return error->message;
}

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

/// Answers to many calls, in the order of the questions.
struct Asked {
    std::vector<std::optional<Known>> answers;
    std::size_t open = 0;
};
struct Question {
    Asked *asked;
    std::size_t index;
    std::string path;
};

void answered(GObject *bus, GAsyncResult *result, gpointer data)
{
    const std::unique_ptr<Question> q(static_cast<Question *>(data));
    const Variant reply(g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, nullptr));
    if (reply) {
        const Variant settings(g_variant_get_child_value(reply.get(), 0));
        q->asked->answers[q->index] = known_from(settings.get(), q->path);
    }
    q->asked->open--;
}
} // namespace

std::variant<Daemon, Failure> Daemon::connect()
{
    GErrorSlot error;
    Object<GDBusConnection> bus(g_bus_get_sync(G_BUS_TYPE_SYSTEM, nullptr, error));
    if (!bus)
        return Failure{exit_failed, form(nm("Error: Could not create NMClient object: %s."), error.message().c_str())};
    g_dbus_connection_set_exit_on_close(bus.get(), FALSE);
    Daemon daemon(std::move(bus));
    if (!daemon.running()) return not_running();
    return daemon;
}

bool Daemon::running() const
{
    return bool(
        call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", g_variant_new("(s)", service), "(s)"));
}

Failure Daemon::not_running() { return {exit_not_running, nm("Error: NetworkManager is not running.")}; }

Result<Variant> Daemon::call(const char *path, const char *interface, const char *method, GVariant *args,
                             const char *reply) const
{
    const bool to_bus = std::string_view(interface) == "org.freedesktop.DBus";
    GError *error = nullptr;
    Variant answer(g_dbus_connection_call_sync(
        bus_.get(), to_bus ? interface : service, path, interface, method, args, G_VARIANT_TYPE(reply),
        static_cast<GDBusCallFlags>(G_DBUS_CALL_FLAGS_NO_AUTO_START |
                                    G_DBUS_CALL_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION),
        -1, nullptr, &error));
    if (answer) return answer;
    const auto failure = bad(plain_message(error));
    g_error_free(error);
    return failure;
}

Result<Variant> Daemon::property(const char *path, const char *interface, const char *name) const
{
    auto reply = call(path, "org.freedesktop.DBus.Properties", "Get", g_variant_new("(ss)", interface, name), "(v)");
    if (!reply) return reply;
    GVariant *value = nullptr;
    g_variant_get(reply->get(), "(v)", &value);
    return Variant(value);
}

Result<Words> Daemon::profiles() const
{
    const auto value = property(settings_path, settings_interface, "Connections");
    if (!value) return value.error();
    Words paths;
    GVariantIter iter;
    const char *path = nullptr;
    g_variant_iter_init(&iter, value->get());
    while (g_variant_iter_next(&iter, "&o", &path)) paths.emplace_back(path);
    return paths;
}

Result<Object<NMConnection>> Daemon::profile(const std::string &path) const
{
    const auto reply = call(path.c_str(), profile_interface, "GetSettings", nullptr, "(a{sa{sv}})");
    if (!reply) return reply.error();
    const Variant settings(g_variant_get_child_value(reply->get(), 0));
    Object<NMConnection> c(nm_simple_connection_new());
    GErrorSlot error;
    if (!nm_connection_replace_settings(c.get(), settings.get(), error)) return bad(error.message());
    nm_connection_set_path(c.get(), path.c_str());
    return c;
}

Result<std::string> Daemon::path_of(const std::string &uuid) const
{
    const auto reply =
        call(settings_path, settings_interface, "GetConnectionByUuid", g_variant_new("(s)", uuid.c_str()), "(o)");
    if (!reply) return reply.error();
    const char *path = nullptr;
    g_variant_get(reply->get(), "(&o)", &path);
    return std::string(path);
}

Result<std::string> Daemon::add(NMConnection *connection, bool save) const
{
    const unsigned flags = save ? NM_SETTINGS_ADD_CONNECTION2_FLAG_TO_DISK : NM_SETTINGS_ADD_CONNECTION2_FLAG_IN_MEMORY;
    const auto reply =
        call(settings_path, settings_interface, "AddConnection2",
             g_variant_new("(@a{sa{sv}}u@a{sv})", nm_connection_to_dbus(connection, NM_CONNECTION_SERIALIZE_ALL), flags,
                           g_variant_new_array(G_VARIANT_TYPE("{sv}"), nullptr, 0)),
             "(oa{sv})");
    if (!reply) return reply.error();
    const char *path = nullptr;
    g_variant_get_child(reply->get(), 0, "&o", &path);
    return std::string(path);
}

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

std::vector<Known> Daemon::ask_names(const Words &paths) const
{
    constexpr std::size_t at_once = 64; // a bus limits open calls, by default to 128
    Asked asked{std::vector<std::optional<Known>>(paths.size())};
    for (std::size_t i = 0; i < paths.size() || asked.open > 0;) {
        while (i < paths.size() && asked.open < at_once) {
            g_dbus_connection_call(bus_.get(), service, paths[i].c_str(), profile_interface, "GetSettings", nullptr,
                                   G_VARIANT_TYPE("(a{sa{sv}})"), G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nullptr,
                                   answered, new Question{&asked, i, paths[i]});
            asked.open++;
            i++;
        }
        g_main_context_iteration(nullptr, TRUE);
    }
    std::vector<Known> all;
    for (auto &a : asked.answers)
        if (a) all.push_back(std::move(*a));
    return all;
}

} // namespace nmib::cli
