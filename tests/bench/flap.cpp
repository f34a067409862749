// SPDX-License-Identifier: LGPL-2.1-or-later
// What it costs NetworkManager that a port loses its carrier and gets it back:
//   bench-flap ROUND FLAPS NAME
// From just before until it has been idle for a while: NAME_cpu, the daemon's processor time, and NAME_silence, the
// longest time that a question about a property went unanswered. To ask costs the daemon time too, so one flap is for
// the one figure and the next for the other.
#include "bench/samples.hpp"

#include <cstdlib>
#include <ctime>
#include <gio/gio.h>
#include <memory>
#include <string>

namespace
{
constexpr const char *service = "org.freedesktop.NetworkManager";
constexpr const char *port_file = "/sys/module/softhca/parameters/cmd";
using bench::Milliseconds;

[[noreturn]] void fail(const std::string &what)
{
    std::fprintf(stderr, "bench-flap: %s\n", what.c_str());
    std::exit(EXIT_FAILURE);
}

class Daemon
{
public:
    Daemon() : bus_(::g_bus_get_sync(G_BUS_TYPE_SYSTEM, nullptr, nullptr))
    {
        if (!bus_) fail("no system bus");
        guint32 pid = 0;
        const auto answer = call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                 "GetConnectionUnixProcessID", ::g_variant_new("(s)", service));
        ::g_variant_get(answer.get(), "(u)", &pid);
        if (::clock_getcpuclockid(static_cast<pid_t>(pid), &clock_) != 0) fail("the daemon has no clock");
    }
    Milliseconds processor_time() const
    {
        timespec t{};
        ::clock_gettime(clock_, &t);
        return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
    }
    /// Not Ping: GDBus answers that one in a thread of its own.
    Milliseconds answer_time() const
    {
        const auto begin = bench::Clock::now();
        (void)call(service, "/org/freedesktop/NetworkManager", "org.freedesktop.DBus.Properties", "Get",
                   ::g_variant_new("(ss)", service, "State"));
        return bench::Clock::now() - begin;
    }

private:
    using Variant = std::unique_ptr<GVariant, decltype(&::g_variant_unref)>;

    Variant call(const char *to, const char *path, const char *interface, const char *method, GVariant *args) const
    {
        GError *error = nullptr;
        Variant answer(::g_dbus_connection_call_sync(bus_, to, path, interface, method, args, nullptr,
                                                     G_DBUS_CALL_FLAGS_NONE, 60000, nullptr, &error),
                       ::g_variant_unref);
        if (!answer) fail(std::string(method) + ": " + error->message);
        return answer;
    }

    GDBusConnection *bus_;
    clockid_t clock_{};
};

void port(const char *state)
{
    std::FILE *f = std::fopen(port_file, "w");
    if (!f || std::fprintf(f, "state mlx4_0 1 %s\n", state) < 0 || std::fclose(f) != 0) fail(port_file);
}

/// The longest silence in that time; none is looked for unless `asking`.
Milliseconds spend(const Daemon &nm, std::chrono::milliseconds time, bool asking)
{
    constexpr unsigned pause = 20000; // microseconds
    Milliseconds longest{};
    for (const auto end = bench::Clock::now() + time; bench::Clock::now() < end; ::g_usleep(pause))
        if (asking) longest = std::max(longest, nm.answer_time());
    return longest;
}

Milliseconds until_idle(const Daemon &nm, bool asking)
{
    constexpr auto slice = std::chrono::milliseconds(1200); // looks may be a second apart
    constexpr double share_asked = 0.1, share = 0.005;      // of the processor, that it uses while idle
    Milliseconds longest{};
    for (int slices = 0; slices < 60; slices++) {
        const auto before = nm.processor_time();
        longest = std::max(longest, spend(nm, slice, asking));
        if (nm.processor_time() - before < slice * (asking ? share_asked : share)) return longest;
    }
    fail("the daemon does not come to rest");
}
} // namespace

int main(int argc, char **argv)
{
    if (argc != 4) fail("usage: bench-flap ROUND FLAPS NAME");
    const Daemon nm;
    for (int flap = 0; flap < 2 * std::atoi(argv[2]); flap++) {
        const bool asking = flap % 2 == 1;
        (void)until_idle(nm, false);
        const auto before = nm.processor_time();
        port("down");
        auto longest = spend(nm, std::chrono::milliseconds(1500), asking);
        port("active");
        longest = std::max(longest, until_idle(nm, asking));
        const auto used = nm.processor_time() - before;
        bench::print(std::atoi(argv[1]), std::string(argv[3]) + (asking ? "_silence" : "_cpu"),
                     asking ? longest : used);
    }
}
