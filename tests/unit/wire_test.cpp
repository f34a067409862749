// SPDX-License-Identifier: LGPL-2.1-or-later
// What is read of D-Bus messages without GIO, against GIO's own writing; and whatever else may come through a socket.
#include "cli/daemon/wire.hpp"

#include <gio/gio.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace nmib::cli
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

using Message = std::unique_ptr<GDBusMessage, decltype([](GDBusMessage *m) { g_object_unref(m); })>;

std::string blob(const Message &message)
{
    g_dbus_message_set_sender(message.get(), ":1.7");
    gsize size = 0;
    const std::unique_ptr<guchar, decltype([](guchar *p) { g_free(p); })> bytes(
        g_dbus_message_to_blob(message.get(), &size, G_DBUS_CAPABILITY_FLAGS_NONE, nullptr));
    return {reinterpret_cast<const char *>(bytes.get()), size};
}

std::string answer(GVariant *body)
{
    const Message message(g_dbus_message_new());
    g_dbus_message_set_message_type(message.get(), G_DBUS_MESSAGE_TYPE_METHOD_RETURN);
    g_dbus_message_set_serial(message.get(), 99);
    g_dbus_message_set_reply_serial(message.get(), 4711);
    g_dbus_message_set_body(message.get(), body);
    return blob(message);
}

std::string paths_answer() { return answer(g_variant_new_parsed("([objectpath '/a', '/org/b_2'],)")); }

TEST(Wire, PathsOfAnAnswer)
{
    const auto message = paths_answer();
    EXPECT_EQ(wire::reply_serial(message), 4711U);
    const auto paths = wire::object_paths(message);
    ASSERT_TRUE(paths);
    EXPECT_THAT(*paths, ElementsAre("/a", "/org/b_2"));
    const auto none = answer(g_variant_new_parsed("(@ao [],)"));
    EXPECT_THAT(wire::object_paths(none).value(), IsEmpty());
}

std::string signal(const char *member, const char *body)
{
    const Message message(g_dbus_message_new_signal("/org/a", "org.freedesktop.DBus.Properties", member));
    g_dbus_message_set_serial(message.get(), 3);
    g_dbus_message_set_body(message.get(), g_variant_new_parsed(body));
    return blob(message);
}
constexpr const char *one_property = "('a.b', {'All': <[objectpath '/a', '/org/b_2']>}, @as [])";

TEST(Wire, PathsOfASignal)
{
    const auto message = signal("PropertiesChanged", one_property);
    EXPECT_TRUE(wire::tells_properties(message));
    EXPECT_FALSE(wire::object_paths(message));
    EXPECT_FALSE(wire::object_paths(message, "Other"));
    const auto paths = wire::object_paths(message, "All");
    ASSERT_TRUE(paths);
    EXPECT_THAT(*paths, ElementsAre("/a", "/org/b_2"));
    EXPECT_THAT(wire::object_paths(signal("PropertiesChanged", "('a', {'All': <@ao []>}, @as [])"), "All").value(),
                IsEmpty());
    EXPECT_FALSE(wire::tells_properties(paths_answer()));
    EXPECT_FALSE(wire::tells_properties(signal("Changed", one_property)));
    EXPECT_FALSE(wire::tells_properties(signal("PropertiesChanged", "('a.b',)")));
    for (const char *body : {"('a.b', {'All': <[objectpath '/a']>, 'B': <1>}, @as [])",
                             "('a.b', {'B': <1>, 'All': <[objectpath '/a']>}, @as [])",
                             "('a.b', {'All': <['/a']>}, @as [])", "('a.b', @a{sv} {}, @as [])"})
        EXPECT_FALSE(wire::object_paths(signal("PropertiesChanged", body), "All")) << body;
}

TEST(Wire, OtherMessagesAreNoPaths)
{
    EXPECT_FALSE(wire::object_paths(answer(g_variant_new_parsed("(['/a'],)"))));
    EXPECT_FALSE(wire::object_paths(answer(g_variant_new_parsed("(objectpath '/a',)"))));
    const Message call(g_dbus_message_new_method_call("a.b", "/a", "a.b", "C"));
    g_dbus_message_set_serial(call.get(), 3);
    EXPECT_FALSE(wire::reply_serial(blob(call)));
    EXPECT_FALSE(wire::reply_serial(signal("C", "(1,)")));
}

TEST(Wire, AMessageThatIsCutOffIsNone)
{
    const auto message = paths_answer();
    for (std::size_t n = 0; n < message.size(); n++) {
        const std::string cut(message, 0, n); // of its own size, so that a sanitizer sees the end of it
        EXPECT_FALSE(wire::object_paths(cut)) << n;
    }
    const auto told = signal("PropertiesChanged", one_property);
    for (std::size_t n = 0; n < told.size(); n++) EXPECT_FALSE(wire::object_paths(std::string(told, 0, n), "All")) << n;
}

void expect_inside(const std::string &message, const std::optional<wire::Paths> &paths)
{
    for (const auto &p : paths.value_or(wire::Paths{})) {
        EXPECT_GE(p.data(), message.data());
        EXPECT_LE(p.data() + p.size(), message.data() + message.size());
    }
}

TEST(Wire, NothingIsReadBehindAMessageWhateverItSays)
{
    for (const auto &good : {paths_answer(), signal("PropertiesChanged", one_property)})
        for (std::size_t at = 0; at < good.size(); at++)
            for (const int value : {0, 1, 7, 0x7f, 0x80, 0xff}) {
                auto message = good;
                message[at] = static_cast<char>(value);
                (void)wire::reply_serial(message);
                expect_inside(message, wire::object_paths(message));
                expect_inside(message, wire::object_paths(message, "All"));
            }
}

} // namespace
} // namespace nmib::cli
