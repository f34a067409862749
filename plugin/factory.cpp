// SPDX-License-Identifier: GPL-2.0-or-later
/// The entry point: a device factory that makes no devices. NetworkManager's own factory makes the InfiniBand devices.
/// NetworkManager accepts only a factory that names a setting type; this factory then declines every profile.
#include "abi.hpp"
#include "configuration.hpp"
#include "crash_marker.hpp"
#include "hook.hpp"
#include "log.hpp"

#include "config.h"

namespace nmib
{

namespace
{
void supported_types(NMDeviceFactory *, const NMLinkType **links, const char *const **settings) noexcept
{
    static constexpr NMLinkType no_links[] = {0};
    static constexpr const char *infiniband[] = {"infiniband", nullptr};
    if (links) *links = no_links;
    if (settings) *settings = infiniband;
}

gboolean match_nothing(NMDeviceFactory *, NMConnection *) noexcept { return FALSE; }

void class_init(gpointer type_class, gpointer) noexcept
{
    auto *k = static_cast<NMDeviceFactoryClass *>(type_class);
    k->get_supported_types = supported_types;
    k->match_connection = match_nothing;
}

NMDeviceFactory *make_factory(GType parent)
{
    GTypeInfo info{};
    info.class_size = sizeof(NMDeviceFactoryClass);
    info.class_init = class_init;
    info.instance_size = sizeof(NMDeviceFactory);
    const GType type = g_type_register_static(parent, "NmibInfinibandFactory", &info, GTypeFlags(0));
    return type ? static_cast<NMDeviceFactory *>(g_object_new(type, nullptr)) : nullptr;
}

Result<NMDeviceFactory *> create()
{
    const auto refused = [](std::string why) { return Error{Error::Kind::refused, std::move(why)}; };
    auto &marker = CrashMarker::instance();
    if (auto why = marker.begin()) return refused(std::move(*why));
    if (!start_reading()) return refused("no thread can be started to read the configuration");
    if (!configuration().policy.plugin) return refused("switched off by plugin=false in " NMIB_CONF);
    const auto daemon = abi::inspect();
    if (!daemon) return daemon.error();
    auto *factory = make_factory(daemon->factory);
    if (!factory) return refused("GLib refuses the type NmibInfinibandFactory");
    if (!install_hooks(*daemon)) {
        g_object_unref(factory);
        return refused("GLib refuses a hook on NMDevice::state-changed, using built-in handling instead");
    }
    marker.loaded();
    g_timeout_add_seconds(
        CrashMarker::calm_after,
        [](gpointer) -> gboolean {
            CrashMarker::instance().calm();
            return G_SOURCE_REMOVE;
        },
        nullptr);
    return factory;
}
} // namespace

} // namespace nmib

extern "C" NMDeviceFactory *nm_device_factory_create(GError **error)
{
    using namespace nmib;
    const CrashMarker::Inside inside;
    Result<NMDeviceFactory *> made = Error{Error::Kind::io, "internal error"}; // short enough for no allocation
    fenced("loading", [&] { made = create(); });
    if (made) return *made;
    fenced("loading", stop_reading);
    CrashMarker::instance().end();
    if (error) g_set_error_literal(error, g_quark_from_static_string("nm-ib"), 1, made.error().what.c_str());
    return nullptr;
}
