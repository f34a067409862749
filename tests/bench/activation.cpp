// SPDX-License-Identifier: LGPL-2.1-or-later
// How long NetworkManager takes to bring a profile up, from the ActivateConnection call to the signal "activated":
//   bench-activation --before PROGRAM --round N --samples N --settle MS DEVICE UUID NAME...
// The program behind --before is called with a variant's name ahead of each of its samples and puts it in force. The
// profile is taken down between samples, and whatever that set off gets the settling time to end; all that is untimed.
#include "bench/samples.hpp"

#include <cstdlib>
#include <gio/gio.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <sys/wait.h>

namespace
{
constexpr const char *service = "org.freedesktop.NetworkManager";
constexpr const char *manager = "/org/freedesktop/NetworkManager";
constexpr auto limit = std::chrono::seconds(60);
enum ActiveState : guint32 { activated = 2, deactivated = 4 }; // NMActiveConnectionState

using Variant = std::unique_ptr<GVariant, decltype(&::g_variant_unref)>;

[[noreturn]] void fail(const std::string &what)
{
    std::fprintf(stderr, "bench-activation: %s\n", what.c_str());
    std::exit(EXIT_FAILURE);
}

struct Seen {
    guint32 state;
    bench::Clock::time_point when;
};
std::map<std::string, Seen> active; ///< the latest state of each active connection, by D-Bus path

void state_changed(GDBusConnection *, const gchar *, const gchar *path, const gchar *, const gchar *, GVariant *args,
                   gpointer)
{
    const auto now = bench::Clock::now();
    guint32 state = 0, reason = 0;
    ::g_variant_get(args, "(uu)", &state, &reason);
    active[path] = {state, now};
}

class Daemon
{
public:
    Daemon() : bus_(::g_bus_get_sync(G_BUS_TYPE_SYSTEM, nullptr, nullptr))
    {
        if (!bus_) fail("no system bus");
        ::g_dbus_connection_signal_subscribe(bus_, service, "org.freedesktop.NetworkManager.Connection.Active",
                                             "StateChanged", nullptr, nullptr, G_DBUS_SIGNAL_FLAGS_NONE, state_changed,
                                             nullptr, nullptr);
    }
    /// The object path that a method answers with; empty if it answers nothing.
    std::string call(const char *path, const char *interface, const char *method, GVariant *args) const
    {
        GError *error = nullptr;
        const Variant answer(::g_dbus_connection_call_sync(bus_, service, path, interface, method, args, nullptr,
                                                           G_DBUS_CALL_FLAGS_NONE, 60000, nullptr, &error),
                             ::g_variant_unref);
        if (!answer) fail(std::string(method) + ": " + error->message);
        if (!::g_variant_is_of_type(answer.get(), G_VARIANT_TYPE("(o)"))) return {};
        const char *object = nullptr;
        ::g_variant_get(answer.get(), "(&o)", &object);
        return object;
    }

private:
    GDBusConnection *bus_;
};

bench::Clock::time_point wait_for(const std::string &path, ActiveState wanted)
{
    const auto end = bench::Clock::now() + limit;
    while (bench::Clock::now() < end) {
        if (const auto it = active.find(path); it != active.end()) {
            if (it->second.state == wanted) return it->second.when;
            if (it->second.state == deactivated) fail("the activation failed");
        }
        ::g_main_context_iteration(nullptr, TRUE);
    }
    fail(path + ": nothing happens");
}

void settle(std::chrono::milliseconds time)
{
    const auto end = bench::Clock::now() + time;
    while (bench::Clock::now() < end) {
        while (::g_main_context_iteration(nullptr, FALSE)) {
        }
        ::g_usleep(2000);
    }
}

/// The kernel puts some of its work off to its next tick, so no sample may begin at the same point of it as the last.
void leave_step()
{
    constexpr unsigned two_ticks = 8000; // microseconds
    static std::mt19937 chance{std::random_device{}()};
    ::g_usleep(std::uniform_int_distribution(0U, two_ticks)(chance));
}
} // namespace

int main(int argc, char **argv)
{
    std::map<std::string, std::string> option;
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) option[argv[i]] = argv[i + 1];
    if (argc - i < 3 || option.size() != 4)
        fail("usage: bench-activation --before PROGRAM --round N --samples N --settle MS DEVICE UUID NAME...");
    const int round = std::atoi(option["--round"].c_str());
    const int samples = std::atoi(option["--samples"].c_str());
    const std::chrono::milliseconds quiet(std::atoi(option["--settle"].c_str()));

    const auto wake = [](gpointer) -> gboolean { return G_SOURCE_CONTINUE; };
    ::g_timeout_add(100, wake, nullptr); // so that no wait is endless
    const Daemon nm;
    const auto device = nm.call(manager, service, "GetDeviceByIpIface", ::g_variant_new("(s)", argv[i]));
    const auto profile = nm.call("/org/freedesktop/NetworkManager/Settings", "org.freedesktop.NetworkManager.Settings",
                                 "GetConnectionByUuid", ::g_variant_new("(s)", argv[i + 1]));
    const std::vector<std::string> names(argv + i + 2, argv + argc);
    constexpr int warm_up = 1;
    const auto measure = [&](int sample, const std::string &name) {
        if (std::system((option["--before"] + " " + name).c_str()) != 0) fail(name + ": cannot be put in force");
        settle(quiet);
        leave_step();
        const auto begin = bench::Clock::now();
        const auto path = nm.call(manager, service, "ActivateConnection",
                                  ::g_variant_new("(ooo)", profile.c_str(), device.c_str(), "/"));
        const auto end = wait_for(path, activated);
        if (sample >= warm_up) bench::print(round, name, end - begin);
        settle(quiet);
        nm.call(manager, service, "DeactivateConnection", ::g_variant_new("(o)", path.c_str()));
        (void)wait_for(path, deactivated);
    };
    bench::interleave(samples + warm_up, static_cast<unsigned>(round) + 1, names, measure);
}
