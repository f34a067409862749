// SPDX-License-Identifier: GPL-2.0-or-later
#include "abi.hpp"

#include "log.hpp"

#include <dlfcn.h>

namespace nmib::abi
{

namespace
{
template<class Fn> void find(Fn *&function, const char *name, const char *without)
{
    function = reinterpret_cast<Fn *>(::dlsym(RTLD_DEFAULT, name));
    if (!function && without)
        log(Severity::warning, std::string(without) + ": this NetworkManager does not export " + name);
}

Api find_all()
{
    Api a{};
    find(a.applied_setting, "nm_device_get_applied_setting", nullptr);
    find(a.act_request, "nm_device_get_act_request", nullptr);
    find(a.applied_connection, "nm_device_get_applied_connection", "no MTU adjustment at reapply");
    find(a.settings_connection, "nm_device_get_settings_connection", nullptr); // only a build with Wi-Fi exports it
    find(a.stored_connection, "nm_settings_connection_get_connection", nullptr);
    find(a.device_of, "nm_active_connection_get_device",
         "P_Key children that NetworkManager fails to make are not removed");
    return a;
}

/// Returns the signal if its type is `void (*)(instance, params...)` and it accepts emission hooks, otherwise 0.
guint find_signal(const char *type_name, const char *name, std::initializer_list<GType> params)
{
    const GType type = g_type_from_name(type_name);
    if (!type || !G_TYPE_IS_OBJECT(type)) return 0;
    g_type_class_ref(type); // the class creates the signals; the reference is kept
    const guint id = g_signal_lookup(name, type);
    if (!id) return 0;
    GSignalQuery q{};
    g_signal_query(id, &q);
    if (q.return_type != G_TYPE_NONE || q.n_params != params.size() || (q.signal_flags & G_SIGNAL_NO_HOOKS)) return 0;
    const auto *have = q.param_types;
    for (const GType want : params) {
        const GType is = *have++ & ~G_SIGNAL_TYPE_STATIC_SCOPE;
        if (!g_type_is_a(is, want)) return 0;
    }
    return id;
}
bool has_property(const char *type_name, const char *name, GType type)
{
    const GType owner = g_type_from_name(type_name);
    const auto *type_class = owner ? static_cast<GObjectClass *>(g_type_class_peek(owner)) : nullptr;
    const auto *p = type_class ? g_object_class_find_property(const_cast<GObjectClass *>(type_class), name) : nullptr;
    return p && p->value_type == type && (p->flags & G_PARAM_READABLE);
}

Error unsupported(const std::string &what)
{
    return {Error::Kind::unsupported,
            "unexpected ABI (" + what + "): this NetworkManager is not supported, using built-in handling instead"};
}
} // namespace

const Api &api() noexcept
{
    static const Api a = find_all();
    return a;
}

Result<Daemon> inspect()
{
    Daemon d;
    d.factory = g_type_from_name("NMDeviceFactory");
    GTypeQuery q{};
    if (d.factory) g_type_query(d.factory, &q);
    if (!q.type || q.class_size != sizeof(NMDeviceFactoryClass) || q.instance_size != sizeof(NMDeviceFactory) ||
        g_type_parent(d.factory) != G_TYPE_OBJECT)
        return unsupported("class " + std::to_string(q.class_size) + ", instance " + std::to_string(q.instance_size) +
                           "; built for " + std::to_string(sizeof(NMDeviceFactoryClass)) + ", " +
                           std::to_string(sizeof(NMDeviceFactory)));
    d.state_changed = find_signal("NMDevice", "state-changed", {G_TYPE_UINT, G_TYPE_UINT, G_TYPE_UINT});
    if (!d.state_changed) return unsupported("no NMDevice::state-changed with three numbers that takes hooks");
    if (!api().applied_setting) return unsupported("no nm_device_get_applied_setting");
    d.device_added = find_signal("NMManager", "internal-device-added", {G_TYPE_OBJECT});
    GType (*act_request_type)() = nullptr;
    find(act_request_type, "nm_act_request_get_type", nullptr);
    if (act_request_type) act_request_type(); // registers its parent, NMActiveConnection
    d.connection_state = find_signal("NMActiveConnection", "state-changed", {G_TYPE_UINT, G_TYPE_UINT});
    // Without them every device would look external, and be left alone by the helper, too.
    if (!api().act_request || !has_property("NMActiveConnection", "state-flags", G_TYPE_UINT))
        return unsupported("no nm_device_get_act_request, or no NMActiveConnection:state-flags");
    d.reloaded = find_signal("NMConfig", "config-changed", {G_TYPE_OBJECT, G_TYPE_UINT, G_TYPE_OBJECT});
    d.shows_use = has_property("NMDevice", "has-pending-action", G_TYPE_BOOLEAN) &&
                  has_property("NMDevice", "carrier", G_TYPE_BOOLEAN);
    if (!d.shows_use)
        log(Severity::warning, "P_Key children that NetworkManager leaves behind are not removed: this "
                               "NetworkManager does not show whether they are in use");
    return d;
}

} // namespace nmib::abi
