// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/bus.hpp"

#include "terminal/words.hpp"

#include <algorithm>
#include <utility>

namespace nmib::cli
{

namespace
{
constexpr auto call_flags =
    static_cast<GDBusCallFlags>(G_DBUS_CALL_FLAGS_NO_AUTO_START | G_DBUS_CALL_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION);
constexpr int usual_timeout = -1;
constexpr std::size_t at_once = 64; // the bus limits pending calls, by default to 128

Result<Variant> result_of(GVariant *reply, GError *error)
{
    const std::unique_ptr<GError, Freer<g_error_free>> owned(error);
    if (!error) return Variant(reply);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)) return Error{Error::Kind::io, error->message};
    const Text name(g_dbus_error_get_remote_error(error));
    g_dbus_error_strip_remote_error(error);
    const bool is_absent = name && str(name.get()) == "org.freedesktop.NetworkManager.Settings.InvalidConnection";
    return Error{is_absent ? Error::Kind::absent : Error::Kind::invalid, error->message};
}

struct Round {
    GDBusConnection *connection;
    const std::function<Bus::Call(std::size_t index)> &question;
    std::vector<Result<Variant>> answers{};
    std::size_t asked = 0, answered = 0;

    void ask();
    void take(std::size_t index, GAsyncResult *result);
};

void Round::ask()
{
    using Place = std::pair<Round *, std::size_t>;
    const auto call = question(asked);
    g_dbus_connection_call(
        connection, call.service, call.path, call.interface, call.method, call.args, G_VARIANT_TYPE(call.reply),
        call_flags, usual_timeout, nullptr,
        [](GObject *, GAsyncResult *result, gpointer data) {
            const std::unique_ptr<Place> place(static_cast<Place *>(data));
            place->first->take(place->second, result);
        },
        new Place(this, asked));
    asked++;
}

void Round::take(std::size_t index, GAsyncResult *result)
{
    GError *error = nullptr;
    auto *reply = g_dbus_connection_call_finish(connection, result, &error);
    answers[index] = result_of(reply, error);
    answered++;
    if (asked < answers.size()) ask();
}
} // namespace

GBusType Bus::of_libnm() { return g_getenv("LIBNM_USE_SESSION_BUS") ? G_BUS_TYPE_SESSION : G_BUS_TYPE_SYSTEM; }

Result<Bus> Bus::open(GBusType type)
{
    GErrorSlot error;
    Object<GDBusConnection> connection(g_bus_get_sync(type, nullptr, error));
    if (!connection) return bad(error.message());
    g_dbus_connection_set_exit_on_close(connection.get(), FALSE);
    return Bus(std::move(connection));
}

Result<Variant> Bus::call(const Call &call) const
{
    GError *error = nullptr;
    auto *reply =
        g_dbus_connection_call_sync(connection_.get(), call.service, call.path, call.interface, call.method, call.args,
                                    G_VARIANT_TYPE(call.reply), call_flags, usual_timeout, nullptr, &error);
    return result_of(reply, error);
}

std::vector<Result<Variant>> Bus::call_each(std::size_t count,
                                            const std::function<Call(std::size_t index)> &question) const
{
    const std::unique_ptr<GMainContext, Freer<g_main_context_unref>> context(g_main_context_new());
    g_main_context_push_thread_default(context.get()); // receives the replies
    Round round{connection_.get(), question};
    round.answers.reserve(count);
    while (round.answers.size() < count) round.answers.emplace_back(bad(""));
    while (round.asked < std::min(count, at_once)) round.ask();
    while (round.answered < count) g_main_context_iteration(context.get(), TRUE);
    g_main_context_pop_thread_default(context.get());
    return std::move(round.answers);
}

} // namespace nmib::cli
