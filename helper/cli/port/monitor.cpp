// SPDX-License-Identifier: LGPL-2.1-or-later
/// port monitor: a line for each change, until a signal ends it.
#include "cli/base/gobject.hpp"
#include "cli/base/json.hpp"
#include "cli/command/command.hpp"
#include "cli/plan/machine.hpp"
#include "cli/port/events.hpp"
#include "cli/port/report.hpp"
#include "cli/port/snapshot.hpp"
#include "core/base/printable.hpp"

#include <csignal>
#include <cstdio>
#include <glib-unix.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
std::string time_now(const char *format)
{
    const std::unique_ptr<GDateTime, Freer<g_date_time_unref>> now(g_date_time_new_now_local());
    return Text(format ? g_date_time_format(now.get(), format) : g_date_time_format_iso8601(now.get())).get();
}

std::string text_of(const PortChange &c)
{
    const auto shown = [](const std::string &value) { return value.empty() ? std::string("-") : printable(value); };
    const auto change = !is_itself(c.what) ? c.what + " " + shown(c.before) + " -> " + shown(c.after)
                        : c.before.empty() ? form(_("is there (%s)"), printable(c.after).c_str())
                                           : std::string(_("is gone"));
    return time_now("%T") + " " + printable(c.where) + ": " + change + "\n";
}

Json json_of(const PortChange &c)
{
    auto json = json_object();
    json.update({{"time", time_now(nullptr)},
                 {"where", c.where},
                 {"what", c.what},
                 {"before", or_null(c.before)},
                 {"after", or_null(c.after)}});
    return json;
}

struct Look {
    Snapshot snapshot{};
    Words devices{};
    std::map<int, std::string> interfaces{}; ///< on any port, by ifindex
};

Result<Look> look(const Words &which)
{
    auto all = take_inventory(true);
    if (!all) return all.error();
    Look l;
    for (const auto &device : all->devices) {
        l.devices.push_back(device.name);
        for (const auto &port : device.ports)
            for (const auto &n : port.interfaces) l.interfaces.emplace(n.ifindex, n.name.str());
    }
    if (!which.empty() && !keep(*all, which)) all->devices.clear();
    l.snapshot = snapshot(json_of(*all));
    return l;
}

struct Monitor {
    const Words &which;
    bool as_json;
    Snapshot last{};
    GMainLoop *loop;
    std::unique_ptr<Events> events{};
    std::set<std::string> told{}; ///< devices without events, of which that was said

    void show(const Look &now)
    {
        for (const auto &change : changes(last, now.snapshot)) {
            if (as_json)
                print_json(json_of(change));
            else
                print(text_of(change));
        }
        if (std::fflush(stdout) != 0 || std::ferror(stdout)) g_main_loop_quit(loop); // the caller says so
        last = now.snapshot;
        for (const auto &name : events->watch(now.devices, now.interfaces))
            if (told.insert(name).second)
                complain(
                    form(_("note: %s has no events that nm-ib may read: its LIDs, P_Keys and GIDs are looked at when "
                           "something else happens"),
                         printable(name).c_str()));
    }
};
} // namespace

std::optional<Failure> monitor_port(const Request &request)
{
    const auto &which = request.words;
    const std::unique_ptr<GMainLoop, Freer<g_main_loop_unref>> loop(g_main_loop_new(nullptr, FALSE));
    Monitor monitor{.which = which, .as_json = request.has("--json"), .loop = loop.get()};
    auto events = Events::start([&] {
        if (const auto now = look(which)) monitor.show(*now); // what vanishes while it is read is announced again
    });
    if (!events) return Failure{exit_failed, form(_("Error: %s"), events.error().what.c_str())};
    monitor.events = std::move(*events);
    for (const auto &word : which) // from now on nothing is missed
        if (auto all = take_inventory(false, word); !all) return failure_of(all.error());
    const auto first = look(which);
    if (!first) return Failure{exit_failed, form(_("Error: %s"), first.error().what.c_str())};
    monitor.last = first->snapshot;
    monitor.show(*first);
    const auto end = [](gpointer l) -> gboolean {
        g_main_loop_quit(static_cast<GMainLoop *>(l));
        return G_SOURCE_CONTINUE;
    };
    for (const int signal : {SIGINT, SIGTERM}) g_unix_signal_add(signal, end, loop.get());
    g_unix_fd_add(
        STDOUT_FILENO, static_cast<GIOCondition>(G_IO_ERR | G_IO_HUP), // the reader is gone
        [](gint, GIOCondition, gpointer l) -> gboolean {
            g_main_loop_quit(static_cast<GMainLoop *>(l));
            return G_SOURCE_REMOVE;
        },
        loop.get());
    g_main_loop_run(loop.get());
    return {};
}

} // namespace nmib::cli
