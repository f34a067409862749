// SPDX-License-Identifier: LGPL-2.1-or-later
/// fake-systemd FILE: answers the calls of nm-ib to systemd on the bus. FILE has a line "UNIT STATE" for each unit, and
/// a line "wait-online MICROSECONDS" with the time at which NetworkManager-wait-online ended. Prints a line when it
/// owns systemd's name on the bus.
#include <cstdio>
#include <fstream>
#include <gio/gio.h>
#include <string>

namespace
{
constexpr const char *interfaces = R"xml(<node>
<interface name="org.freedesktop.systemd1.Manager"><method name="ListUnitsByPatterns"><arg type="as" direction="in"/>
<arg type="as" direction="in"/><arg type="a(ssssssouso)" direction="out"/></method></interface>
<interface name="org.freedesktop.systemd1.Service"><property name="ExecMainExitTimestampMonotonic" type="t" access="read"/>
</interface></node>)xml";
const char *file = nullptr;

bool matches(const std::string &unit, GVariant *patterns)
{
    for (gsize i = 0; i < g_variant_n_children(patterns); i++) {
        const char *pattern = nullptr;
        g_variant_get_child(patterns, i, "&s", &pattern);
        if (g_pattern_match_simple(pattern, unit.c_str())) return true;
    }
    return false;
}

void list_units(GDBusConnection *, const char *, const char *, const char *, const char *, GVariant *arguments,
                GDBusMethodInvocation *call, gpointer)
{
    GVariant *patterns = g_variant_get_child_value(arguments, 1);
    GVariantBuilder units;
    g_variant_builder_init(&units, G_VARIANT_TYPE("a(ssssssouso)"));
    std::ifstream lines(file);
    for (std::string unit, state; lines >> unit >> state;)
        if (matches(unit, patterns))
            g_variant_builder_add(&units, "(ssssssouso)", unit.c_str(), "", "loaded", state.c_str(), "", "", "/", 0U,
                                  "", "/");
    g_variant_unref(patterns);
    g_dbus_method_invocation_return_value(call, g_variant_new("(a(ssssssouso))", &units));
}

GVariant *wait_online_end(GDBusConnection *, const char *, const char *, const char *, const char *, GError **,
                          gpointer)
{
    std::ifstream lines(file);
    for (std::string word, value; lines >> word >> value;)
        if (word == "wait-online") return g_variant_new_uint64(std::stoull(value));
    return g_variant_new_uint64(0);
}

void publish(GDBusConnection *bus, const char *, gpointer)
{
    static const GDBusInterfaceVTable manager{list_units, nullptr, nullptr, {}},
        service{nullptr, wait_online_end, nullptr, {}};
    auto *node = g_dbus_node_info_new_for_xml(interfaces, nullptr);
    g_dbus_connection_register_object(bus, "/org/freedesktop/systemd1", node->interfaces[0], &manager, nullptr, nullptr,
                                      nullptr);
    g_dbus_connection_register_object(bus, "/org/freedesktop/systemd1/unit/NetworkManager_2dwait_2donline_2eservice",
                                      node->interfaces[1], &service, nullptr, nullptr, nullptr);
    g_dbus_node_info_unref(node);
}
} // namespace

int main(int, char **arguments)
{
    file = arguments[1];
    g_bus_own_name(
        G_BUS_TYPE_SYSTEM, "org.freedesktop.systemd1", G_BUS_NAME_OWNER_FLAGS_NONE, publish,
        [](GDBusConnection *, const char *, gpointer) { std::puts("ready"), std::fflush(stdout); }, nullptr, nullptr,
        nullptr);
    g_main_loop_run(g_main_loop_new(nullptr, FALSE));
}
