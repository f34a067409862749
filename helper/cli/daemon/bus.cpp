// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/bus.hpp"

#include "cli/base/words.hpp"
#include "cli/signals.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <libintl.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace nmib::cli
{

namespace
{
constexpr std::size_t header_size = 16; // tells how long the message is
constexpr const char *usual_address = "unix:path=/run/dbus/system_bus_socket";
constexpr auto patience = std::chrono::seconds(25); // GDBus's

Error closed() { return bad(g_dgettext("glib20", "The connection is closed")); }

/// "unix:path=/...", as it nearly always is.
UniqueFd connect_plainly(std::string_view address)
{
    constexpr std::string_view prefix = "unix:path=";
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    if (!address.starts_with(prefix) || address.find_first_of(",;%") != std::string_view::npos) return {};
    address.remove_prefix(prefix.size());
    if (address.size() >= sizeof where.sun_path) return {};
    address.copy(where.sun_path, address.size());
    UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd || connect(fd.get(), reinterpret_cast<const sockaddr *>(&where), sizeof where) != 0) return {};
    return fd;
}

/// Wherever GIO finds it, and its failures. Its types alone take a third of a millisecond.
Result<UniqueFd> connect_by_gio()
{
    GErrorSlot error;
    const Text address(g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nullptr, error));
    if (!address) return bad(error.message());
    const Object<GIOStream> stream(g_dbus_address_get_stream_sync(address.get(), nullptr, nullptr, error));
    if (!stream) return bad(error.message());
    if (!G_IS_SOCKET_CONNECTION(stream.get())) return closed();
    const int socket = g_socket_get_fd(g_socket_connection_get_socket(G_SOCKET_CONNECTION(stream.get())));
    UniqueFd fd(fcntl(socket, F_DUPFD_CLOEXEC, 0));
    if (!fd || fcntl(socket, F_SETFL, 0) != 0) return closed(); // blocking, unlike GIO's
    return fd;
}

/// Who we are, which the bus asks the kernel about; that it agrees is read with the first answer.
std::string greeting()
{
    std::string digits;
    for (const char c : std::to_string(geteuid())) digits += form("%02x", static_cast<unsigned>(c));
    return std::string(1, '\0') + "AUTH EXTERNAL " + digits + "\r\nBEGIN\r\n";
}

Error error_in(GDBusMessage *message)
{
    GError *error = nullptr;
    g_dbus_message_to_gerror(message, &error);
    g_dbus_error_strip_remote_error(error);
    auto failure = bad(error->message);
    g_error_free(error);
    return failure;
}

Result<Variant> body_of(GDBusMessage *message, const char *type)
{
    if (g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_ERROR) return error_in(message);
    auto *body = g_dbus_message_get_body(message);
    Variant value(body ? g_variant_ref(body) : g_variant_ref_sink(g_variant_new_tuple(nullptr, 0)));
    if (!g_variant_is_of_type(value.get(), G_VARIANT_TYPE(type)))
        return bad(form("D-Bus: %s, not %s", g_variant_get_type_string(value.get()), type));
    return value;
}
} // namespace

Bus::Bus(UniqueFd fd) : fd_(std::move(fd)), out_(greeting()) {}

Result<Bus> Bus::open()
{
    std::signal(SIGPIPE, SIG_IGN); // as GIO's sockets have it, for what is printed as well
    const char *given = g_getenv("DBUS_SYSTEM_BUS_ADDRESS");
    if (auto fd = connect_plainly(given ? given : usual_address)) return Bus(std::move(fd));
    auto fd = connect_by_gio();
    if (!fd) return fd.error();
    return Bus(std::move(*fd));
}

Bus::Ticket Bus::post(const Call &call)
{
    const Object<GDBusMessage> message(
        g_dbus_message_new_method_call(call.service, call.path, call.interface, call.method));
    g_dbus_message_set_flags(message.get(),
                             static_cast<GDBusMessageFlags>(G_DBUS_MESSAGE_FLAGS_NO_AUTO_START |
                                                            G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION));
    g_dbus_message_set_serial(message.get(), ++serial_);
    if (call.args) g_dbus_message_set_body(message.get(), call.args);
    gsize size = 0;
    const std::unique_ptr<guchar, Freer<g_free>> blob(
        g_dbus_message_to_blob(message.get(), &size, G_DBUS_CAPABILITY_FLAGS_NONE, nullptr));
    if (blob) out_.append(reinterpret_cast<const char *>(blob.get()), size);
    return {serial_, call.reply};
}

Result<void> Bus::send()
{
    std::string_view rest = out_;
    while (!rest.empty()) {
        const auto n = ::send(fd_.get(), rest.data(), rest.size(), 0);
        if (n < 0 && errno != EINTR) return closed();
        if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
    }
    out_.clear();
    return {};
}

Result<void> Bus::receive(Clock::time_point deadline)
{
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const auto woken = left > left.zero() ? wait_for_input(fd_.get(), left) : Woken::timeout;
    if (woken == Woken::timeout) return bad(g_dgettext("glib20", "Timeout was reached"));
    if (woken != Woken::input) end_by(woken);
    char buffer[16384];
    const auto n = recv(fd_.get(), buffer, sizeof buffer, 0);
    if (n == 0 || (n < 0 && errno != EINTR)) return closed();
    if (n > 0) in_.append(buffer, static_cast<std::size_t>(n));
    return {};
}

/// Whether there was a whole one.
Result<bool> Bus::take_message()
{
    if (!greeted_) {
        const auto end = in_.find("\r\n");
        if (end == std::string::npos) return false;
        if (!in_.starts_with("OK ")) return bad(in_.substr(0, end));
        in_.erase(0, end + 2);
        greeted_ = true;
    }
    if (in_.size() < header_size) return false;
    GErrorSlot error;
    auto *blob = reinterpret_cast<guchar *>(in_.data());
    const auto size = g_dbus_message_bytes_needed(blob, in_.size(), error);
    if (size < 0) return bad(error.message());
    const auto length = static_cast<std::size_t>(size);
    if (in_.size() < length) {
        in_.reserve(length); // some are long
        return false;
    }
    auto rest = in_.substr(length);
    in_.resize(length);
    if (const auto serial = wire::reply_serial(in_))
        answers_[*serial] = std::move(in_);
    else if (wire::tells_properties(in_))
        told_ = std::move(in_);
    in_ = std::move(rest);
    return true;
}

Result<std::string> Bus::wait(const Ticket &ticket)
{
    if (const auto sent = send(); !sent) return sent.error();
    const auto deadline = Clock::now() + patience;
    for (;;) {
        const auto one = take_message();
        if (!one) return one.error();
        if (auto found = answers_.extract(ticket.serial)) return std::move(found.mapped());
        if (*one) continue;
        if (const auto more = receive(deadline); !more) return more.error();
    }
}

Result<Variant> Bus::answer(const Ticket &ticket)
{
    auto blob = wait(ticket);
    if (!blob) return blob.error();
    GErrorSlot error;
    const Object<GDBusMessage> message(g_dbus_message_new_from_blob(reinterpret_cast<guchar *>(blob->data()),
                                                                    blob->size(), G_DBUS_CAPABILITY_FLAGS_NONE, error));
    if (!message) return bad(error.message());
    return body_of(message.get(), ticket.reply);
}

Result<Bus::Paths> Bus::answer_paths(const Ticket &ticket)
{
    auto blob = wait(ticket);
    if (!blob) return blob.error();
    Paths paths{std::make_unique<const std::string>(std::move(*blob))};
    auto all = wire::object_paths(*paths.message);
    if (!all) return bad("D-Bus: no list of object paths");
    paths.all = std::move(*all);
    return paths;
}

std::optional<Bus::Paths> Bus::told_paths(std::string_view property)
{
    Paths paths{std::make_unique<const std::string>(std::exchange(told_, {}))};
    auto all = wire::object_paths(*paths.message, property);
    if (!all) return std::nullopt;
    paths.all = std::move(*all);
    return paths;
}

} // namespace nmib::cli
