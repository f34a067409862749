// SPDX-License-Identifier: LGPL-2.1-or-later
/// port monitor: prints a line for each change, until a signal or a closed standard output ends it.
#include "cli/port/monitor.hpp"

#include "cli/base/gobject.hpp"
#include "cli/base/json.hpp"
#include "cli/command/command.hpp"
#include "cli/daemon/bus.hpp"
#include "cli/plan/machine.hpp"
#include "cli/port/inventory.hpp"
#include "core/base/text.hpp"
#include "probe/base/dir.hpp"

#include <NetworkManager.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <infiniband/verbs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr guint pause_ms = 50; ///< events come in bursts; a carrier change has three

Result<UniqueFd> listen(int protocol, unsigned groups)
{
    UniqueFd fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol));
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    address.nl_groups = groups;
    if (!fd || ::bind(fd.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        return sys_error(errno, "netlink");
    return fd;
}

class Watcher final : public Events
{
public:
    explicit Watcher(std::function<void()> changed) : changed_(std::move(changed)), verbs_([this] { hint(); }) {}
    Watcher(const Watcher &) = delete;
    Watcher &operator=(const Watcher &) = delete;
    ~Watcher() override
    {
        for (const auto id : sources_) g_source_remove(id);
        for (const auto id : subscriptions_) g_dbus_connection_signal_unsubscribe(bus_.get(), id);
        if (pending_ != 0) g_source_remove(pending_);
    }

    Result<void> start()
    {
        auto links = listen(NETLINK_ROUTE, RTMGRP_LINK);
        if (!links) return links.error();
        auto uevents = listen(NETLINK_KOBJECT_UEVENT, 1);
        if (!uevents) return uevents.error();
        links_ = std::move(*links);
        uevents_ = std::move(*uevents);
        for (const int fd : {links_.get(), uevents_.get()})
            sources_.push_back(g_unix_fd_add(
                fd, G_IO_IN,
                [](gint ready, GIOCondition, gpointer self) -> gboolean {
                    static_cast<Watcher *>(self)->drain(ready);
                    return G_SOURCE_CONTINUE;
                },
                this));
        GErrorSlot error;
        bus_.reset(g_bus_get_sync(Bus::of_libnm(), nullptr, error));
        if (bus_) subscribe();
        return {};
    }
    Words watch(const Words &devices, std::map<int, std::string> interfaces) override
    {
        interfaces_ = std::move(interfaces);
        devices_.clear();
        return verbs_.watch(devices);
    }

private:
    /// GDBus accepts signals only from the owner of the name (g_dbus_connection_signal_subscribe).
    void subscribe()
    {
        const auto on = [&](const char *sender, const char *interface, const char *member, const char *argument) {
            subscriptions_.push_back(g_dbus_connection_signal_subscribe(
                bus_.get(), sender, interface, member, nullptr, argument, G_DBUS_SIGNAL_FLAGS_NONE,
                [](GDBusConnection *, const char *, const char *path, const char *, const char *, GVariant *,
                   gpointer data) {
                    auto *self = static_cast<Watcher *>(data);
                    if (self->is_watched(path)) self->hint();
                },
                this, nullptr));
        };
        on(NM_DBUS_SERVICE, "org.freedesktop.DBus.Properties", "PropertiesChanged", NM_DBUS_INTERFACE_DEVICE);
        on("org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", NM_DBUS_SERVICE);
    }
    /// True for the device of a port's interface, and for other objects. Reads a device's interface once until watch().
    bool is_watched(const std::string &path)
    {
        if (!path.starts_with(NM_DBUS_PATH "/Devices/")) return true;
        const auto [known, is_new] = devices_.emplace(path, true);
        if (!is_new) return known->second;
        const Variant reply(
            g_dbus_connection_call_sync(bus_.get(), NM_DBUS_SERVICE, path.c_str(), "org.freedesktop.DBus.Properties",
                                        "Get", g_variant_new("(ss)", NM_DBUS_INTERFACE_DEVICE, "Interface"),
                                        G_VARIANT_TYPE("(v)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nullptr, nullptr));
        if (!reply) return true;
        const Variant boxed(g_variant_get_child_value(reply.get(), 0)), value(g_variant_get_variant(boxed.get()));
        const std::string name = g_variant_get_string(value.get(), nullptr);
        known->second =
            std::any_of(interfaces_.begin(), interfaces_.end(), [&](const auto &i) { return i.second == name; }) ||
            is_on_card(name);
        return known->second;
    }
    /// Returns true if the interface may be on an RDMA port that is not known yet.
    static bool is_on_card(const std::string &interface)
    {
        return ::access(("/sys/class/net/" + interface + "/device/infiniband").c_str(), F_OK) == 0;
    }
    bool is_watched(const ifinfomsg &link)
    {
        char name[IF_NAMESIZE] = {};
        return link.ifi_type == ARPHRD_INFINIBAND || interfaces_.contains(link.ifi_index) ||
               (::if_indextoname(static_cast<unsigned>(link.ifi_index), name) && is_on_card(name));
    }
    void drain(int fd)
    {
        char message[16384];
        for (;;) {
            const auto n = ::recv(fd, message, sizeof message, MSG_DONTWAIT);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0 && errno != ENOBUFS) return; // ENOBUFS: the kernel dropped messages
            const std::string_view text(message, n < 0 ? 0 : static_cast<std::size_t>(n));
            ifinfomsg link{}; // one message at a time: RTM_NEWLINK or RTM_DELLINK
            const bool is_link = fd == links_.get() && text.size() >= NLMSG_HDRLEN + sizeof link;
            if (is_link) std::memcpy(&link, message + NLMSG_HDRLEN, sizeof link);
            if (n < 0 || (is_link ? is_watched(link) : text.find("SUBSYSTEM=infiniband") != text.npos)) hint();
        }
    }
    void hint()
    {
        if (pending_ != 0) return;
        pending_ = g_timeout_add(
            pause_ms,
            [](gpointer data) -> gboolean {
                auto *self = static_cast<Watcher *>(data);
                self->pending_ = 0;
                self->changed_();
                return G_SOURCE_REMOVE;
            },
            this);
    }

    std::function<void()> changed_;
    VerbsEvents verbs_;
    std::map<int, std::string> interfaces_{};
    std::map<std::string, bool> devices_{}; ///< by D-Bus path
    UniqueFd links_{}, uevents_{};
    Object<GDBusConnection> bus_{};
    std::vector<guint> sources_{}, subscriptions_{};
    guint pending_ = 0;
};
} // namespace

Result<std::unique_ptr<Events>> Events::start(std::function<void()> changed)
{
    auto watcher = std::make_unique<Watcher>(std::move(changed));
    if (const auto started = watcher->start(); !started) return started.error();
    return std::unique_ptr<Events>(std::move(watcher));
}

struct VerbsEvents::Library {
    void *handle = nullptr;
    decltype(&::ibv_get_device_list) list = nullptr;
    decltype(&::ibv_free_device_list) free_list = nullptr;
    decltype(&::ibv_open_device) open = nullptr;
    decltype(&::ibv_close_device) close = nullptr;
    decltype(&::ibv_get_async_event) get = nullptr;
    decltype(&::ibv_ack_async_event) acknowledge = nullptr;

    Library() : handle(::dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL))
    {
        const auto find = [&](auto &function, const char *name) {
            function =
                handle ? reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name)) : nullptr;
        };
        find(list, "ibv_get_device_list");
        find(free_list, "ibv_free_device_list");
        find(open, "ibv_open_device");
        find(close, "ibv_close_device");
        find(get, "ibv_get_async_event");
        find(acknowledge, "ibv_ack_async_event");
    }
    bool is_whole() const { return list && free_list && open && close && get && acknowledge; }
};

struct VerbsEvents::Device {
    VerbsEvents *owner;
    std::string name;
    ibv_context *context;
    guint source = 0;
};

VerbsEvents::VerbsEvents(std::function<void()> happened) : happened_(std::move(happened)) {}

VerbsEvents::~VerbsEvents()
{
    while (!devices_.empty()) close(devices_.begin()->first);
}

Words VerbsEvents::watch(const Words &names)
{
    for (auto it = devices_.begin(); it != devices_.end();) { // an open device blocks the removal of its driver
        const auto name = (it++)->first;
        if (std::find(names.begin(), names.end(), name) == names.end()) close(name);
    }
    Words missing;
    for (const auto &name : names)
        if (!devices_.contains(name)) missing.push_back(name);
    if (missing.empty()) return missing;
    if (!library_) library_ = std::make_unique<Library>();
    if (!library_->is_whole()) return missing;
    int count = 0;
    auto **list = library_->list(&count);
    for (int i = 0; list && i < count; i++) {
        const std::string name = list[i]->name;
        const auto wanted = std::find(missing.begin(), missing.end(), name);
        auto *context = wanted == missing.end() ? nullptr : library_->open(list[i]);
        if (!context) continue;
        missing.erase(wanted);
        auto device = std::make_unique<Device>(Device{this, name, context});
        ::fcntl(context->async_fd, F_SETFL, ::fcntl(context->async_fd, F_GETFL) | O_NONBLOCK);
        device->source = g_unix_fd_add(
            context->async_fd, G_IO_IN,
            [](gint, GIOCondition, gpointer data) -> gboolean {
                auto *self = static_cast<Device *>(data);
                self->owner->take(*self);
                return G_SOURCE_CONTINUE;
            },
            device.get());
        devices_[name] = std::move(device);
    }
    if (list) library_->free_list(list);
    return missing;
}

void VerbsEvents::take(Device &device)
{
    ibv_async_event event{};
    bool is_gone = false;
    while (library_->get(device.context, &event) == 0) {
        is_gone = is_gone || event.event_type == IBV_EVENT_DEVICE_FATAL;
        library_->acknowledge(&event);
    }
    happened_();
    if (is_gone) close(std::string(device.name));
}

void VerbsEvents::close(const std::string &name)
{
    const auto it = devices_.find(name);
    if (it == devices_.end()) return;
    g_source_remove(it->second->source);
    library_->close(it->second->context);
    devices_.erase(it);
}

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
                        : c.before.empty() ? form("added ({})", printable(c.after))
                                           : std::string(_("removed"));
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

struct Reading {
    Snapshot snapshot{};
    Words devices{};
    std::map<int, std::string> interfaces{}; ///< on any port, by ifindex
};

Result<Reading> read_ports(const Words &which)
{
    auto all = take_inventory(Depth::tables);
    if (!all) return all.error();
    Reading now;
    for (const auto &device : all->devices) {
        now.devices.push_back(device.name);
        for (const auto &port : device.ports)
            for (const auto &n : port.interfaces) now.interfaces.emplace(n.ifindex, n.name.str());
    }
    if (!which.empty() && !keep(*all, which)) all->devices.clear();
    now.snapshot = snapshot(json_of(*all));
    return now;
}

struct Monitor {
    bool as_json;
    Snapshot last{};
    GMainLoop *loop;
    std::unique_ptr<Events> events{};
    std::set<std::string> reported{}; ///< devices without events, already reported

    void show(const Reading &now)
    {
        for (const auto &change : changes(last, now.snapshot)) {
            if (as_json)
                print_json(json_of(change));
            else
                print(text_of(change));
        }
        if (std::fflush(stdout) != 0 || std::ferror(stdout)) g_main_loop_quit(loop); // the caller reports the error
        last = now.snapshot;
        for (const auto &name : events->watch(now.devices, now.interfaces))
            if (reported.insert(name).second)
                complain(form("note: {} has no events that nm-ib can read: nm-ib reads its LIDs, P_Keys and GIDs after "
                              "other events",
                              printable(name)));
    }
};
} // namespace

Status monitor_port(const Request &request)
{
    const auto &which = request.words;
    const std::unique_ptr<GMainLoop, Freer<g_main_loop_unref>> loop(g_main_loop_new(nullptr, FALSE));
    Monitor monitor{.as_json = request.has("--json"), .loop = loop.get()};
    auto events = Events::start([&] {
        if (const auto now = read_ports(which))
            monitor.show(*now); // if a port vanishes meanwhile, another event follows
    });
    if (!events) return failed(events.error().what);
    monitor.events = std::move(*events);
    for (const auto &word : which) // after Events::start(): no change is missed
        if (auto all = take_inventory(Depth::list, word); !all) return failure_of(all.error());
    const auto first = read_ports(which);
    if (!first) return failed(first.error().what);
    monitor.last = first->snapshot;
    monitor.show(*first);
    const auto end = [](gpointer l) -> gboolean {
        g_main_loop_quit(static_cast<GMainLoop *>(l));
        return G_SOURCE_CONTINUE;
    };
    for (const int signal : {SIGINT, SIGTERM}) g_unix_signal_add(signal, end, loop.get());
    g_unix_fd_add(
        STDOUT_FILENO, static_cast<GIOCondition>(G_IO_ERR | G_IO_HUP), // the reader has closed the pipe
        [](gint, GIOCondition, gpointer l) -> gboolean {
            g_main_loop_quit(static_cast<GMainLoop *>(l));
            return G_SOURCE_REMOVE;
        },
        loop.get());
    g_main_loop_run(loop.get());
    return {};
}

} // namespace nmib::cli
