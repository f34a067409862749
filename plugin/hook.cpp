// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook.hpp"

#include "activation.hpp"
#include "configuration.hpp"
#include "crash_marker.hpp"
#include "device_signals.hpp"
#include "leftover.hpp"

#include "config.h"

namespace nmib
{

namespace
{
Surroundings &daemon()
{
    static Surroundings all{NMIB_STATE, DaemonProbe({.sysfs = "/sys", .state = NMIB_STATE}), configuration, log};
    return all;
}

struct Attached {
    explicit Attached(NMDevice *nm_device) : device(nm_device) {}
    NmDevice device;
    DeviceSignals signals{device, activation};
    Activation activation{device, signals, daemon()};
};

/// Returns the activation of a device: created at the first call, destroyed with the device.
Activation &activation_of(NMDevice *device)
{
    static const GQuark key = g_quark_from_static_string("nm-ib-activation");
    auto *object = reinterpret_cast<GObject *>(device);
    auto *attached = static_cast<Attached *>(g_object_get_qdata(object, key));
    if (!attached) {
        attached = new Attached(device);
        g_object_set_qdata_full(object, key, attached, [](gpointer a) { delete static_cast<Attached *>(a); });
    }
    return attached->activation;
}

/// nm-ib.conf has plugin=false, and could be read only after the plugin was loaded.
bool is_switched_off() { return !configuration().policy.plugin; }

/// Emission hooks run first, so PREPARE is seen before NetworkManager prepares. TRUE keeps the hook.
gboolean state_changed(GSignalInvocationHint *, guint n, const GValue *values, gpointer) noexcept
{
    auto *device = n == 4 ? g_value_get_object(&values[0]) : nullptr;
    if (!NmDevice::is_infiniband(device)) return TRUE;
    enter("state change", [&] {
        auto *d = static_cast<NMDevice *>(device);
        const auto now = g_value_get_uint(&values[1]), reason = g_value_get_uint(&values[3]);
        if (now == abi::prepare) update_configuration();
        auto &activation = activation_of(d);
        if (is_switched_off()) return activation.stop();
        check_for_leftovers(d, activation.last(), now, g_value_get_uint(&values[2]), reason);
        activation.state(now, reason);
    });
    return TRUE;
}

gboolean device_added(GSignalInvocationHint *, guint n, const GValue *values, gpointer) noexcept
{
    auto *device = n == 2 ? g_value_get_object(&values[1]) : nullptr;
    if (!NmDevice::is_infiniband(device)) return TRUE;
    enter("new device", [&] { remember_device(static_cast<NMDevice *>(device)); });
    return TRUE;
}

/// An active connection ended: the only signal if the device was not made, or if the activation did not reach stage 1.
gboolean connection_changed(GSignalInvocationHint *, guint n, const GValue *values, gpointer) noexcept
{
    if (n != 3 || g_value_get_uint(&values[1]) != abi::connection_deactivated) return TRUE;
    auto *active = g_value_get_object(&values[0]);
    auto *device = abi::api().device_of(active);
    if (!NmDevice::is_infiniband(device)) return TRUE;
    enter("end of an activation", [&] {
        if (!is_switched_off() && !NmDevice::opted_out(active))
            activation_ended(device, activation_of(device).last(), g_value_get_uint(&values[2]));
    });
    return TRUE;
}
gboolean reloaded(GSignalInvocationHint *, guint, const GValue *, gpointer) noexcept
{
    read_again();
    return TRUE;
}
} // namespace

bool install_hooks(const abi::Daemon &daemon)
{
    const auto hook = [](guint signal, GSignalEmissionHook function) {
        return signal && g_signal_add_emission_hook(signal, 0, function, nullptr, nullptr) != 0;
    };
    if (!hook(daemon.state_changed, state_changed)) return false;
    if (daemon.shows_use) allow_removal();
    if (abi::api().device_of &&
        (!hook(daemon.device_added, device_added) || !hook(daemon.connection_state, connection_changed)))
        log(Severity::warning, "P_Key children that NetworkManager fails to make are not removed: no hook on "
                               "NMManager::internal-device-added or NMActiveConnection::state-changed");
    if (!hook(daemon.reloaded, reloaded))
        log(Severity::warning, "a reload of NetworkManager does not read " NMIB_CONF " again: no hook on "
                               "NMConfig::config-changed");
    return true;
}

} // namespace nmib
