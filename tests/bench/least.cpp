// SPDX-License-Identifier: LGPL-2.1-or-later
// The least that a command of nm-ib's kind can do: bench-least PATH add NAME|modify. The installed nmcli makes or
// changes the profile offline, libnm reads what comes of it, and the daemon is told, or asked for the one of that
// object path before. No name is looked up, no rule is known, nothing is printed.
#include <NetworkManager.h>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

extern "C" [[gnu::visibility("default")]] int _gnutls_global_init_skip() { return 1; } // as nm-ib

namespace
{
struct Free {
    void operator()(GObject *o) const { g_object_unref(o); }
    void operator()(GVariant *v) const { g_variant_unref(v); }
    void operator()(GKeyFile *f) const { g_key_file_unref(f); }
    void operator()(char *text) const { g_free(text); }
};
template<typename T> using Owned = std::unique_ptr<T, Free>;

Owned<GVariant> call(const char *path, const char *interface, const char *method, GVariant *words)
{
    const Owned<GObject> bus(reinterpret_cast<GObject *>(g_bus_get_sync(G_BUS_TYPE_SYSTEM, nullptr, nullptr)));
    if (!bus) return {};
    return Owned<GVariant>(g_dbus_connection_call_sync(reinterpret_cast<GDBusConnection *>(bus.get()),
                                                       "org.freedesktop.NetworkManager", path, interface, method, words,
                                                       nullptr, G_DBUS_CALL_FLAGS_NONE, -1, nullptr, nullptr));
}

/// The profile that nmcli makes of these words, and of a profile.
Owned<GObject> offline(std::vector<const char *> words, const char *before)
{
    words.insert(words.begin(), {"/usr/bin/nmcli", "--offline", "connection"});
    words.push_back(nullptr);
    const Owned<GObject> child(reinterpret_cast<GObject *>(g_subprocess_newv(
        words.data(), static_cast<GSubprocessFlags>(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE),
        nullptr)));
    char *out = nullptr;
    if (!child || !g_subprocess_communicate_utf8(reinterpret_cast<GSubprocess *>(child.get()), before, nullptr, &out,
                                                 nullptr, nullptr))
        return {};
    const Owned<char> text(out);
    const Owned<GKeyFile> file(g_key_file_new());
    if (!g_key_file_load_from_data(file.get(), text.get(), std::string_view(text.get()).size(), G_KEY_FILE_NONE,
                                   nullptr))
        return {};
    return Owned<GObject>(reinterpret_cast<GObject *>(
        nm_keyfile_read(file.get(), "/", NM_KEYFILE_HANDLER_FLAGS_NONE, nullptr, nullptr, nullptr)));
}

GVariant *settings(const Owned<GObject> &profile)
{
    return nm_connection_to_dbus(reinterpret_cast<NMConnection *>(profile.get()), NM_CONNECTION_SERIALIZE_ALL);
}

bool add(const char *name)
{
    const auto profile =
        offline({"add", "type", "infiniband", "ifname", "ib9", "con-name", name, "autoconnect", "no"}, nullptr);
    return profile && call("/org/freedesktop/NetworkManager/Settings", "org.freedesktop.NetworkManager.Settings",
                           "AddConnection", g_variant_new("(@a{sa{sv}})", settings(profile)));
}

bool modify(const char *path)
{
    constexpr const char *interface = "org.freedesktop.NetworkManager.Settings.Connection";
    const auto answer = call(path, interface, "GetSettings", nullptr);
    if (!answer) return false;
    const Owned<GVariant> known(g_variant_get_child_value(answer.get(), 0));
    const Owned<GObject> profile(reinterpret_cast<GObject *>(nm_simple_connection_new_from_dbus(known.get(), nullptr)));
    if (!profile) return false;
    const Owned<GKeyFile> file(nm_keyfile_write(reinterpret_cast<NMConnection *>(profile.get()),
                                                NM_KEYFILE_HANDLER_FLAGS_NONE, nullptr, nullptr, nullptr));
    if (!file) return false;
    const Owned<char> text(g_key_file_to_data(file.get(), nullptr, nullptr));
    const auto changed = offline({"modify", "infiniband.mtu", "2044"}, text.get());
    return changed && call(path, interface, "Update", g_variant_new("(@a{sa{sv}})", settings(changed)));
}

bool run(int argc, char **argv)
{
    const std::string_view verb = argv[2];
    return verb == "add" ? argc == 4 && add(argv[3]) : verb == "modify" && modify(argv[1]);
}
} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) g_printerr("usage: bench-least PATH add NAME|modify\n");
    _exit(argc >= 3 && run(argc, argv) ? 0 : 1);
}
