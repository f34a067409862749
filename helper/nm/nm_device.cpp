// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/nm_device.hpp"

#include "core/base/text.hpp"
#include "nm/properties.hpp"
#include "probe/base/dir.hpp"

#include <cerrno>
#include <thread>

namespace nmib::cli
{

namespace
{
using namespace std::chrono_literals;

constexpr auto deactivation_limit = 60s; // dispatcher scripts may run first
constexpr auto rename_limit = 20s;       // NetworkManager waits for udev

std::uint32_t number(const Daemon &daemon, const std::string &path, const char *interface, const char *name,
                     std::uint32_t otherwise)
{
    const auto value = daemon.property(path.c_str(), interface, name);
    return value && g_variant_is_of_type(value->get(), G_VARIANT_TYPE_UINT32) ? g_variant_get_uint32(value->get())
                                                                              : otherwise;
}

/// Also true for a device that no longer exists.
bool is_disconnected(const Daemon &daemon, const std::string &device)
{
    return number(daemon, device, NM_DBUS_INTERFACE_DEVICE, "State", NM_DEVICE_STATE_UNMANAGED) <=
           NM_DEVICE_STATE_DISCONNECTED;
}
} // namespace

bool wait_until(std::chrono::milliseconds limit, const std::function<bool()> &is_true)
{
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!is_true()) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(50ms);
    }
    return true;
}

NmDevice nm_device_of(const Daemon &daemon, const IfName &interface)
{
    const auto device = daemon.path_of_device(interface.str());
    const auto about =
        device.and_then([&](auto &path) { return Properties::of(daemon, path, NM_DBUS_INTERFACE_DEVICE); });
    if (!about || about->number("State") <= NM_DEVICE_STATE_UNMANAGED) return {};
    NmDevice h;
    h.path = *device;
    h.active = about->object("ActiveConnection");
    const auto active = h.active.empty() ? Result<Properties>(bad(""))
                                         : Properties::of(daemon, h.active, NM_DBUS_INTERFACE_ACTIVE_CONNECTION);
    if (!active) return h;
    h.profile = active->object("Connection");
    h.id = active->text("Id");
    h.activated = active->number("State") == NM_ACTIVE_CONNECTION_STATE_ACTIVATED;
    constexpr auto passing = NM_SETTINGS_CONNECTION_FLAG_NM_GENERATED | NM_SETTINGS_CONNECTION_FLAG_VOLATILE |
                             NM_SETTINGS_CONNECTION_FLAG_EXTERNAL;
    h.stored = !(active->number("StateFlags") & NM_ACTIVATION_STATE_FLAG_EXTERNAL) && !h.profile.empty() &&
               !(number(daemon, h.profile, NM_DBUS_INTERFACE_SETTINGS_CONNECTION, "Flags", passing) & passing);
    return h;
}

Result<void> disconnect(const Daemon &daemon, const std::string &device)
{
    const auto asked = daemon.call(device.c_str(), NM_DBUS_INTERFACE_DEVICE, "Disconnect", nullptr, "()");
    if (!asked) return asked.error();
    // NetworkManager answers when the deactivation begins.
    if (wait_until(deactivation_limit, [&] { return is_disconnected(daemon, device); })) return {};
    return Error{Error::Kind::refused, _("NetworkManager does not deactivate the interface")};
}

Result<void> activate(const Daemon &daemon, const NmDevice &what, const std::string &device, std::chrono::seconds limit)
{
    const auto fails = [&](const char *why) {
        return Error{Error::Kind::refused, form("profile '{}' cannot be activated: {}", printable(what.id), why)};
    };
    const auto reply =
        daemon.call(NM_DBUS_PATH, NM_DBUS_INTERFACE, "ActivateConnection",
                    g_variant_new("(ooo)", what.profile.c_str(), device.empty() ? "/" : device.c_str(), "/"), "(o)");
    if (!reply) return fails(printable(reply.error().what).c_str());
    if (limit == 0s) return {};
    const char *active = nullptr;
    g_variant_get_child(reply->get(), 0, "&o", &active);
    auto state = std::uint32_t{NM_ACTIVE_CONNECTION_STATE_UNKNOWN};
    const bool ended = wait_until(limit, [&] {
        state = number(daemon, active, NM_DBUS_INTERFACE_ACTIVE_CONNECTION, "State",
                       NM_ACTIVE_CONNECTION_STATE_DEACTIVATED);
        return state >= NM_ACTIVE_CONNECTION_STATE_ACTIVATED;
    });
    if (!ended) return fails(_("the activation takes too long"));
    if (state == NM_ACTIVE_CONNECTION_STATE_ACTIVATED) return {};
    return fails(_("NetworkManager's journal has the reason"));
}

Result<void> wait_for_name(const Daemon &daemon, const std::string &device, const IfName &name)
{
    const auto has_it = [&] {
        const auto value = daemon.property(device.c_str(), NM_DBUS_INTERFACE_DEVICE, "Interface");
        return value && g_variant_is_of_type(value->get(), G_VARIANT_TYPE_STRING) &&
               g_variant_get_string(value->get(), nullptr) == name.view();
    };
    if (wait_until(rename_limit, has_it)) return {};
    return Error{Error::Kind::refused, form("NetworkManager has not read the name {}", printable(name.view()))};
}

Result<void> reapply(const Daemon &daemon, const std::string &device)
{
    const auto reply =
        daemon.call(device.c_str(), NM_DBUS_INTERFACE_DEVICE, "Reapply",
                    g_variant_new("(@a{sa{sv}}tu)", g_variant_new_array(G_VARIANT_TYPE("{sa{sv}}"), nullptr, 0),
                                  guint64{0}, guint32{0}),
                    "()");
    if (!reply) return reply.error();
    return {};
}

Result<void> reapply(const Daemon &daemon, const std::string &device,
                     const std::function<void(NMConnection *applied)> &change)
{
    const auto call = [&](const char *method, GVariant *args, const char *reply) {
        return daemon.call(device.c_str(), NM_DBUS_INTERFACE_DEVICE, method, args, reply);
    };
    const auto applied = call("GetAppliedConnection", g_variant_new("(u)", guint32{0}), "(a{sa{sv}}t)");
    if (!applied) return applied.error();
    const Variant settings(g_variant_get_child_value(applied->get(), 0));
    guint64 version = 0;
    g_variant_get_child(applied->get(), 1, "t", &version);
    const Object<NMConnection> profile(nm_simple_connection_new());
    GErrorSlot error;
    if (!nm_connection_replace_settings(profile.get(), settings.get(), error)) return bad(error.message());
    change(profile.get());
    const auto done =
        call("Reapply",
             g_variant_new("(@a{sa{sv}}tu)", nm_connection_to_dbus(profile.get(), NM_CONNECTION_SERIALIZE_ALL), version,
                           guint32{NM_DEVICE_REAPPLY_FLAGS_PRESERVE_EXTERNAL_IP}),
             "()");
    if (!done) return done.error();
    return {};
}

namespace
{
using Interface = PortUpperdevs::Interface;

std::optional<std::string> danger_of(const Interface &i)
{
    const auto name = i.name();
    if (i.device.path.empty())
        return i.row.up ? std::optional(form("{} is up, but not managed by NetworkManager", name)) : std::nullopt;
    if (i.device.active.empty()) return std::nullopt;
    if (!i.device.stored) return form("{} was set up by hand, without a profile", name);
    if (!i.device.activated) return form("profile '{}' is being activated on {}", printable(i.device.id), name);
    return std::nullopt;
}

bool is_of_partition(const Daemon &daemon, const NmDevice &device)
{
    const auto profile =
        device.profile.empty() ? Result<Object<NMConnection>>(bad("")) : daemon.profile(device.profile);
    auto *ib = profile ? nm_connection_get_setting_infiniband(profile->get()) : nullptr;
    return ib && nm_setting_infiniband_get_p_key(ib) >= 0;
}
} // namespace

std::string PortUpperdevs::Interface::name() const { return printable(row.name->view()); }

Result<std::vector<LinkRow>> children_of(Rtnl &rtnl, int ifindex)
{
    auto rows = rtnl.ipoib_links();
    if (rows) std::erase_if(*rows, [&](const LinkRow &row) { return row.parent != ifindex || !row.name; });
    return rows;
}

Result<PortUpperdevs> PortUpperdevs::of(Rtnl &rtnl, const Daemon &daemon, const LinkRow &port)
{
    PortUpperdevs found{.port = {port}};
    const auto rows = children_of(rtnl, port.ifindex);
    if (!rows) return rows.error();
    for (const auto &row : *rows) found.children.push_back({row});
    const auto sysfs = Dir::open("/sys/class/net/" + port.name->str());
    const auto files = sysfs.and_then([](auto &d) { return d.list(); });
    if (!files) return files.error();
    constexpr std::string_view prefix = "upper_"; // net/core/dev.c, netdev_adjacent_sysfs_add
    for (const auto &file : *files)
        if (const auto name = file.starts_with(prefix) ? IfName::parse(file.substr(prefix.size())) : std::nullopt) {
            const auto row = rtnl.link(*name);
            if (!row || !row->name) return row ? sys_error(ENODEV, name->str()) : row.error();
            found.uppers.push_back({*row});
        }
    found.port.device = nm_device_of(daemon, *port.name);
    for (auto *some : {&found.children, &found.uppers})
        for (auto &interface : *some) interface.device = nm_device_of(daemon, *interface.row.name);
    for (auto &child : found.children) child.of_partition = is_of_partition(daemon, child.device);
    return found;
}

std::optional<std::string> PortUpperdevs::danger() const
{
    if (auto danger = danger_of(port)) return danger;
    for (const auto &child : children) {
        if (auto danger = danger_of(child)) return danger;
        if (!child.of_partition)
            return form("the P_Key child {} was not made by a profile that is active", child.name());
    }
    for (const auto &upper : uppers)
        if (upper.device.active.empty() || !upper.device.stored)
            return form("{} is a port of {}, on which no saved profile is active", port.name(), upper.name());
    return std::nullopt;
}

} // namespace nmib::cli
