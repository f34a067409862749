// SPDX-License-Identifier: LGPL-2.1-or-later
/// recorded FILE: a NetworkManager that only answers questions, with what FILE says: a GVariant of all objects with
/// their interfaces and properties, and of all profiles. Shows what no machine has at hand: DHCP leases, WINS servers,
/// one profile on two interfaces.
#include <cstdio>
#include <gio/gio.h>
#include <string_view>

namespace
{
constexpr const char *name = "org.freedesktop.NetworkManager";
constexpr const char *settings = "/org/freedesktop/NetworkManager/Settings";

struct World {
    GVariant *objects, *profiles;
};

GVariant *lookup(GVariant *all, const char *key, const char *type)
{
    return g_variant_lookup_value(all, key, G_VARIANT_TYPE(type));
}

/// Settings of the profile at `path`, or the one with a UUID: then its path.
GVariant *profile(const World &world, const char *path, const char *uuid)
{
    for (gsize i = 0; i < g_variant_n_children(world.profiles); i++) {
        const char *at = nullptr, *its = nullptr;
        GVariant *all = nullptr;
        g_variant_get_child(world.profiles, i, "{&o@a{sa{sv}}}", &at, &all);
        g_variant_lookup(lookup(all, "connection", "a{sv}"), "uuid", "&s", &its);
        if (uuid && g_str_equal(uuid, its)) return g_variant_new("(o)", at);
        if (path && g_str_equal(path, at)) return g_variant_new("(@a{sa{sv}})", all);
    }
    return nullptr;
}

GVariant *profile_paths(const World &world)
{
    auto *paths = g_variant_builder_new(G_VARIANT_TYPE("ao"));
    for (gsize i = 0; i < g_variant_n_children(world.profiles); i++) {
        const char *at = nullptr;
        g_variant_get_child(world.profiles, i, "{&o@a{sa{sv}}}", &at, nullptr);
        g_variant_builder_add(paths, "o", at);
    }
    return g_variant_new("(ao)", paths);
}

GVariant *properties(const World &world, const char *path, const char *interface)
{
    for (gsize i = 0; i < g_variant_n_children(world.objects); i++) {
        const char *at = nullptr;
        GVariant *interfaces = nullptr;
        g_variant_get_child(world.objects, i, "{&o@a{sa{sv}}}", &at, &interfaces);
        if (g_str_equal(path, at)) return lookup(interfaces, interface, "a{sv}");
    }
    return nullptr;
}

GVariant *answer(const World &world, GDBusMessage *call)
{
    const auto *path = g_dbus_message_get_path(call);
    const std::string_view member = g_dbus_message_get_member(call);
    auto *args = g_dbus_message_get_body(call);
    const char *first = nullptr, *second = nullptr;
    if (args) g_variant_get_child(args, 0, "&s", &first);
    if (member == "GetManagedObjects") return g_variant_new("(@a{oa{sa{sv}}})", world.objects);
    if (member == "ListConnections") return profile_paths(world);
    if (member == "GetSettings") return profile(world, path, nullptr);
    if (member == "GetConnectionByUuid" && g_str_equal(path, settings)) return profile(world, nullptr, first);
    if (member != "Get" && member != "GetAll") return nullptr;
    auto *all = properties(world, path, first);
    if (!all || member == "GetAll") return all ? g_variant_new("(@a{sv})", all) : nullptr;
    g_variant_get_child(args, 1, "&s", &second);
    auto *value = g_variant_lookup_value(all, second, nullptr);
    return value ? g_variant_new("(v)", value) : nullptr;
}

/// Nothing is freed: it lives as long as a test.
GDBusMessage *filter(GDBusConnection *bus, GDBusMessage *message, gboolean incoming, gpointer world)
{
    if (!incoming || g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL) return message;
    auto *body = answer(*static_cast<World *>(world), message);
    auto *reply =
        body ? g_dbus_message_new_method_reply(message)
             : g_dbus_message_new_method_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "not recorded");
    if (body) g_dbus_message_set_body(reply, body);
    g_dbus_connection_send_message(bus, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, nullptr, nullptr);
    g_object_unref(message);
    return nullptr;
}
} // namespace

int main(int argc, char **argv)
{
    GError *error = nullptr;
    char *text = nullptr;
    GVariant *all = nullptr;
    if (argc == 2 && g_file_get_contents(argv[1], &text, nullptr, &error))
        all = g_variant_parse(G_VARIANT_TYPE("(a{oa{sa{sv}}}a{oa{sa{sv}}})"), text, nullptr, nullptr, &error);
    auto *bus = all ? g_bus_get_sync(G_BUS_TYPE_SYSTEM, nullptr, &error) : nullptr;
    if (!bus) {
        std::fprintf(stderr, "recorded: %s\n", error ? error->message : "one file");
        return 1;
    }
    World world{g_variant_get_child_value(all, 0), g_variant_get_child_value(all, 1)};
    g_dbus_connection_add_filter(bus, filter, &world, nullptr);
    g_bus_own_name_on_connection(bus, name, G_BUS_NAME_OWNER_FLAGS_NONE, nullptr, nullptr, nullptr, nullptr);
    g_main_loop_run(g_main_loop_new(nullptr, FALSE));
}
