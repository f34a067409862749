// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/port/events.hpp"

#include "cli/daemon/bus.hpp"
#include "cli/port/verbs_events.hpp"
#include "probe/unique_fd.hpp"

#include <NetworkManager.h>
#include <cerrno>
#include <glib-unix.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string_view>
#include <sys/socket.h>

namespace nmib::cli
{

namespace
{
constexpr guint pause_ms = 50; ///< events come in bursts, a carrier's in threes

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
    Words watch_devices(const Words &names) override { return verbs_.watch(names); }

private:
    /// GDBus believes only who owns the name (g_dbus_connection_signal_subscribe).
    void subscribe()
    {
        const auto on = [&](const char *sender, const char *interface, const char *member, const char *argument) {
            subscriptions_.push_back(g_dbus_connection_signal_subscribe(
                bus_.get(), sender, interface, member, nullptr, argument, G_DBUS_SIGNAL_FLAGS_NONE,
                [](GDBusConnection *, const char *, const char *, const char *, const char *, GVariant *,
                   gpointer self) { static_cast<Watcher *>(self)->hint(); },
                this, nullptr));
        };
        on(NM_DBUS_SERVICE, "org.freedesktop.DBus.Properties", "PropertiesChanged", NM_DBUS_INTERFACE_DEVICE);
        on(NM_DBUS_SERVICE, "org.freedesktop.DBus.Properties", "PropertiesChanged",
           NM_DBUS_INTERFACE_ACTIVE_CONNECTION);
        on("org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", NM_DBUS_SERVICE);
    }
    void drain(int fd)
    {
        char message[16384];
        for (;;) {
            const auto n = ::recv(fd, message, sizeof message, MSG_DONTWAIT);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0 && errno != ENOBUFS) return; // after ENOBUFS something was lost: look
            const std::string_view text(message, n < 0 ? 0 : static_cast<std::size_t>(n));
            const auto is_about = [&](std::string_view what) { return text.find(what) != text.npos; };
            if (fd != uevents_.get() || n < 0 || is_about("SUBSYSTEM=infiniband") || is_about("SUBSYSTEM=net")) hint();
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
    UniqueFd links_{}, uevents_{};
    Object<GDBusConnection> bus_{};
    std::vector<guint> sources_{}, subscriptions_{};
    guint pending_ = 0;
};
} // namespace

Result<std::unique_ptr<Events>> Events::watch(std::function<void()> changed)
{
    auto watcher = std::make_unique<Watcher>(std::move(changed));
    if (const auto started = watcher->start(); !started) return started.error();
    return std::unique_ptr<Events>(std::move(watcher));
}

} // namespace nmib::cli
