// SPDX-License-Identifier: LGPL-2.1-or-later
// Calls to a NetworkManager on a private bus that knows every interface and every profile.
#include "nm/daemon.hpp"

#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

/// Called in a thread of GDBus. Replies with the path "/of/NAME", where NAME is the argument.
GDBusMessage *reply(GDBusConnection *bus, GDBusMessage *message, gboolean incoming, gpointer)
{
    if (!incoming || g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL) return message;
    const Object<GDBusMessage> call(message), answer(g_dbus_message_new_method_reply(message));
    const auto path = std::string("/of/") + g_dbus_message_get_arg0(message);
    g_dbus_message_set_body(answer.get(), g_variant_new("(o)", path.c_str()));
    g_dbus_connection_send_message(bus, answer.get(), G_DBUS_SEND_MESSAGE_FLAGS_NONE, nullptr, nullptr);
    return nullptr;
}

struct DaemonCalls : testing::Test {
    Object<GTestDBus> bus;
    Object<GDBusConnection> manager;
    void SetUp() override
    {
        ASSERT_TRUE(Text(g_find_program_in_path("dbus-daemon"))) << "install dbus-daemon";
        bus.reset(g_test_dbus_new(G_TEST_DBUS_NONE));
        g_test_dbus_up(bus.get());
        g_setenv("LIBNM_USE_SESSION_BUS", "1", TRUE);
        constexpr auto flags = static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                                 G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
        manager.reset(g_dbus_connection_new_for_address_sync(g_test_dbus_get_bus_address(bus.get()), flags, nullptr,
                                                             nullptr, nullptr));
        ASSERT_TRUE(manager);
        g_dbus_connection_add_filter(manager.get(), reply, nullptr, nullptr);
        const Variant owned(g_dbus_connection_call_sync(
            manager.get(), "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            g_variant_new("(su)", NM_DBUS_SERVICE, 0U), nullptr, G_DBUS_CALL_FLAGS_NONE, -1, nullptr, nullptr));
        ASSERT_TRUE(owned);
    }
    void TearDown() override
    {
        if (bus) g_test_dbus_stop(bus.get());
        g_unsetenv("LIBNM_USE_SESSION_BUS");
    }
};

TEST_F(DaemonCalls, NameThatIsNotUtf8HasNoObject)
{
    const auto daemon = Daemon::connect();
    ASSERT_TRUE(daemon);
    const Words names{"ib0", "ib\xff", "ib1"}, paths{"/of/ib0", "", "/of/ib1"};
    EXPECT_EQ(daemon->paths_of_devices(names), paths);
    EXPECT_EQ(daemon->paths_of(names), paths);
    EXPECT_FALSE(daemon->path_of_device("ib\xff"));
}

} // namespace
} // namespace nmib::cli
