// SPDX-License-Identifier: LGPL-2.1-or-later
// The longest time for which NetworkManager answers no call:
//   bench-stall ROUND NAME SECONDS MARK
// Reads a property of the daemon 5 ms after each answer, as long as the file MARK exists, which it makes. Not Ping:
// GDBus answers that one in a thread of its own. Prints NAME, the longest time from a call to its answer, at most
// SECONDS; and NAME_away, the longest time from an answer to the next, if the daemon was away from the bus meanwhile.
// Ends when a time reaches SECONDS.
#include "bench/samples.hpp"

#include <cstdlib>
#include <gio/gio.h>
#include <memory>
#include <string>
#include <unistd.h>

namespace
{
constexpr const char *service = "org.freedesktop.NetworkManager";
constexpr unsigned pause_us = 5000;
using bench::Milliseconds;
using Variant = std::unique_ptr<GVariant, decltype(&::g_variant_unref)>;

[[noreturn]] void fail(const std::string &what)
{
    std::fprintf(stderr, "bench-stall: %s\n", what.c_str());
    std::exit(EXIT_FAILURE);
}

enum class Reply { answered, away, late };

Reply ask(GDBusConnection *bus, int limit_ms)
{
    GError *error = nullptr;
    const Variant answer(::g_dbus_connection_call_sync(bus, service, "/org/freedesktop/NetworkManager",
                                                       "org.freedesktop.DBus.Properties", "Get",
                                                       ::g_variant_new("(ss)", service, "State"), nullptr,
                                                       G_DBUS_CALL_FLAGS_NO_AUTO_START, limit_ms, nullptr, &error),
                         ::g_variant_unref);
    if (answer) return Reply::answered;
    const bool late = ::g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
    ::g_error_free(error);
    return late ? Reply::late : Reply::away;
}
} // namespace

int main(int argc, char **argv)
{
    if (argc != 5) fail("usage: bench-stall ROUND NAME SECONDS MARK");
    const std::string name = argv[2];
    const int limit_ms = 1000 * std::atoi(argv[3]);
    const char *const mark = argv[4];
    GDBusConnection *const bus = ::g_bus_get_sync(G_BUS_TYPE_SYSTEM, nullptr, nullptr);
    if (!bus) fail("no system bus");
    std::FILE *f = std::fopen(mark, "w");
    if (!f || std::fclose(f) != 0) fail(mark);

    Milliseconds longest{}, longest_away{};
    auto answered = bench::Clock::now();
    auto reply = Reply::answered;
    bool away = false;
    while (reply != Reply::late && (::access(mark, F_OK) == 0 || away)) {
        ::g_usleep(pause_us);
        const auto begin = bench::Clock::now();
        reply = ask(bus, limit_ms);
        const auto end = bench::Clock::now();
        longest = std::max<Milliseconds>(longest, end - begin);
        if (reply == Reply::answered) {
            if (away) longest_away = std::max<Milliseconds>(longest_away, end - answered);
            answered = end;
        }
        away = reply == Reply::away;
        if (away && end - answered >= std::chrono::milliseconds(limit_ms)) {
            longest_away = end - answered;
            reply = Reply::late;
        }
    }
    bench::print(std::atoi(argv[1]), name, longest);
    if (longest_away.count() > 0) bench::print(std::atoi(argv[1]), name + "_away", longest_away);
}
