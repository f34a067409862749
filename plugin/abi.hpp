// SPDX-License-Identifier: GPL-2.0-or-later
/// All assumptions about the daemon that loads the plugin:
///   1. the layout of NMDeviceFactory and its class (src/core/devices/nm-device-factory.h, unchanged since 1.30),
///   2. the exported symbol nm_device_factory_create(),
///   3. names of GTypes, properties and signals, and the numbers of public D-Bus enumerations,
///   4. functions that the daemon exports to its plugins, found with dlsym(). Only applied_setting is required.
/// The plugin uses neither NetworkManager.h nor libnm: a second registration of libnm's types ends the daemon.
#pragma once
#include "core/base/result.hpp"

#include <glib-object.h>

extern "C" {

struct NMDevice;       // a GObject, used as opaque
struct NMConnection;   // an interface of a GObject
struct NMPlatformLink; // opaque
using NMLinkType = int;

struct NMDeviceFactory {
    GObject parent;
};

struct NMDeviceFactoryClass {
    GObjectClass parent;
    void (*get_supported_types)(NMDeviceFactory *, const NMLinkType **, const char *const **);
    void (*start)(NMDeviceFactory *);
    gboolean (*match_connection)(NMDeviceFactory *, NMConnection *);
    const char *(*get_connection_parent)(NMDeviceFactory *, NMConnection *);
    char *(*get_connection_iface)(NMDeviceFactory *, NMConnection *, const char *parent_iface);
    NMDevice *(*create_device)(NMDeviceFactory *, const char *iface, const NMPlatformLink *, NMConnection *,
                               gboolean *out_ignore);
};

__attribute__((visibility("default"))) NMDeviceFactory *nm_device_factory_create(GError **error);

} // extern "C"

static_assert(sizeof(NMDeviceFactory) == sizeof(GObject));
static_assert(sizeof(NMDeviceFactoryClass) == sizeof(GObjectClass) + 6 * sizeof(void (*)()));

namespace nmib::abi
{

/// NMDeviceState, the part used here (D-Bus API, frozen).
enum State : guint {
    unmanaged = 10,
    unavailable = 20,
    disconnected = 30,
    prepare = 40,
    config = 50,
    activated = 100,
    deactivating = 110,
    failed = 120,
};
/// NMDeviceStateReason, the part used here (D-Bus API, frozen).
enum Reason : guint { user_requested = 39, connection_assumed = 41 };
/// NMActiveConnectionStateReason, the part used here (D-Bus API, frozen).
enum EndReason : guint { user_disconnected = 2, connection_removed = 11, dependency_failed = 12, device_removed = 14 };
/// NMActiveConnectionState, the part used here (D-Bus API, frozen).
constexpr guint connection_deactivated = 4;
/// NMActivationStateFlags (D-Bus API): NetworkManager shows the activation and does not manage it.
constexpr guint activation_external = 0x80;

struct Api {
    gpointer (*applied_setting)(NMDevice *, GType);  ///< required
    gpointer (*act_request)(NMDevice *);             ///< the active connection, a GObject, or null
    NMConnection *(*applied_connection)(NMDevice *); ///< emits "changed" when Reapply replaces its settings
    gpointer (*settings_connection)(NMDevice *);     ///< of the stored profile
    NMConnection *(*stored_connection)(gpointer settings_connection);
    NMDevice *(*device_of)(gpointer active_connection);
};
const Api &api() noexcept;

/// Types and signals of the daemon.
struct Daemon {
    GType factory = 0;
    guint state_changed = 0;    ///< NMDevice::state-changed
    guint device_added = 0;     ///< NMManager::internal-device-added, also for virtual devices; 0 if missing
    guint connection_state = 0; ///< NMActiveConnection::state-changed; 0 if missing
    guint reloaded = 0;         ///< NMConfig::config-changed; 0 if missing
    bool shows_use = false;     ///< the daemon shows whether an activation uses a device, or waits for it
};
/// Compares the daemon's types with the types that the plugin was built for, and logs what is missing. Call before
/// registering anything. Returns an error if the plugin does not support this daemon.
Result<Daemon> inspect();

} // namespace nmib::abi
