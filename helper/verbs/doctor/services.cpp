// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/services.hpp"

#include "config.h"
#include "core/base/text.hpp"
#include "core/doctor/known_fault.hpp"
#include "nm/daemon.hpp"
#include "probe/doctor/host.hpp"
#include "probe/host/memlock.hpp"
#include "probe/host/nfs_server.hpp"
#include "probe/plan/state.hpp"
#include "verbs/host/host.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr const char *systemd = "org.freedesktop.systemd1";

/// Returns true if systemd should run NetworkManager, and does not.
bool is_stopped()
{
    const std::string unit = "NetworkManager.service";
    const auto state = unit_property(unit, "ActiveState");
    return (state == "inactive" || state == "failed") && unit_property(unit, "UnitFileState") == "enabled";
}

/// Returns when NetworkManager-wait-online ended, in microseconds after boot; nullopt if it did not run.
std::optional<std::uint64_t> wait_online_end(const Bus &bus)
{
    constexpr const char *path = "/org/freedesktop/systemd1/unit/NetworkManager_2dwait_2donline_2eservice";
    const auto reply =
        bus.call({systemd, path, "org.freedesktop.DBus.Properties", "Get",
                  g_variant_new("(ss)", "org.freedesktop.systemd1.Service", "ExecMainExitTimestampMonotonic"), "(v)"});
    if (!reply) return {};
    GVariant *value = nullptr;
    g_variant_get(reply->get(), "(v)", &value);
    const Variant owned(value);
    const auto usec = g_variant_is_of_type(value, G_VARIANT_TYPE_UINT64) ? g_variant_get_uint64(value) : 0;
    return usec == 0 ? std::nullopt : std::optional<std::uint64_t>(usec);
}

/// Checks a file as nm-dispatcher does (nm-dispatcher.c, check_permissions).
bool is_refused(const char *path)
{
    struct stat st {
    };
    if (::stat(path, &st) != 0 || S_ISCHR(st.st_mode))
        return false; // a link to /dev/null: disabled by the administrator
    return st.st_uid != 0 || (st.st_mode & (S_IWGRP | S_IWOTH | S_ISUID)) != 0 || (st.st_mode & S_IXUSR) == 0;
}

/// Returns paths with another SELinux type than their directory: every policy labels both alike.
std::map<std::string, std::string> mislabelled()
{
    std::map<std::string, std::string> all;
    for (const std::string path : {NMIB_DISPATCHER, NMIB_STATE})
        if (auto type = selinux_type(path); !type.empty() && type != selinux_type(split_path(path).first))
            all.emplace(path, std::move(type));
    return all;
}

/// Returns true if the daemon runs a plugin file that was replaced since. Only root can read this.
bool runs_replaced_plugin(const Dir &proc, const Bus &bus)
{
    const auto reply = bus.call({"org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                 "GetConnectionUnixProcessID", g_variant_new("(s)", NM_DBUS_SERVICE), "(u)"});
    if (!reply) return false;
    std::uint32_t pid = 0;
    g_variant_get(reply->get(), "(u)", &pid);
    const auto maps = proc.read(std::to_string(pid) + "/maps", 4U << 20);
    return maps && maps->find("libnm-device-plugin-infiniband.so (deleted)") != maps->npos;
}

/// Returns true if systemd-networkd manages the link (sd-network; /run/systemd/netif/links/IFINDEX).
bool is_networkds(const Dir &links, int ifindex)
{
    const auto text = links.read(std::to_string(ifindex), 1U << 16);
    if (!text) return false;
    const auto at = text->find("ADMIN_STATE=");
    return at != text->npos && text->compare(at + 12, 9, "unmanaged") != 0;
}

void read_plugin(const Dir &proc, const Bus &bus, Services &s)
{
    s.plugin_installed = ::access(NMIB_OBJECT, F_OK) == 0;
    if (!s.plugin_installed) return;
    const auto state = Dir::open(NMIB_STATE);
    s.plugin_loaded = state && plugin_in_charge(*state);
    s.plugin_replaced = s.plugin_loaded && runs_replaced_plugin(proc, bus);
}
} // namespace

Services look_at_services(const Daemon *daemon, const Inventory &all)
{
    Services s;
    const auto proc = Dir::open("/proc");
    if (!proc) return s;
    s.limits = read_memlock_limits(*proc);
    std::map<std::string, std::string> configured;
    for (auto &limit : s.limits) {
        if (limit.bytes >= (64ULL << 20) || !limit.unit.ends_with(".service") || limit.unit.starts_with("user@"))
            continue;
        const auto [unit, is_new] = configured.try_emplace(limit.unit);
        if (is_new) unit->second = unit_property(limit.unit, "LimitMEMLOCK");
        limit.configured = unit->second;
    }
    if (const auto root = Dir::open("/")) s.tools = read_tools(*root, known_tools());
    if (auto log = read_kernel_log()) s.log = std::move(*log);
    if (const auto etc = Dir::open("/etc")) {
        s.nfs_server = read_nfs_server(*etc, *proc);
        s.nfs_mounts = read_nfs_mounts(*etc, *proc);
    }
    const auto links = Dir::open("/run/systemd/netif/links");
    each_interface(all, [&](const RdmaPort &, const PortNetdev &n) {
        const auto *state = all.state_of(n);
        if (n.infiniband && state && state->number > NM_DEVICE_STATE_UNMANAGED) s.managed.insert(n.name.str());
        if (n.infiniband && links && is_networkds(*links, n.ifindex)) s.networkd.insert(n.name.str());
    });
    s.daemon_stopped = !daemon && is_stopped();
    const auto bus = Bus::open();
    if (!bus) return s;
    for (const auto &[unit, state] :
         unit_states(*bus, {"opensm*", "opafm*", "srp_daemon*", "ibacm*", "lnet*", "openibd*", "rdma-load-modules*",
                            "rdma-ndd*", "nfs-server*"})) {
        if (state == "failed") s.failed_units.insert(unit);
        s.openibd |= unit == "openibd.service" && state == "active";
        s.srp_daemon |= unit == "srp_daemon.service" && state == "active";
        constexpr std::string_view port = "srp_daemon_port@";
        if (unit.starts_with(port)) s.srp_daemons[unit.substr(port.size(), unit.rfind('.') - port.size())] = state;
    }
    s.wait_online_end = wait_online_end(*bus);
    if (!daemon) return s;
    read_plugin(*proc, *bus, s);
    if (selinux_enforces()) s.mislabelled = mislabelled();
    if (s.plugin_installed && ::access(NMIB_DISPATCHER, F_OK) != 0) s.missing_dispatcher = NMIB_DISPATCHER;
    if (is_refused(NMIB_DISPATCHER)) s.refused_dispatcher = NMIB_DISPATCHER;
    return s;
}

} // namespace nmib::cli
