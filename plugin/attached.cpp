// SPDX-License-Identifier: GPL-2.0-or-later
#include "attached.hpp"

#include "device_signals.hpp"
#include "policy.hpp"

#include "config.h"

namespace nmib
{

namespace
{
Surroundings &daemon()
{
    static Surroundings all{NMIB_STATE, DaemonProbe({.sysfs = "/sys", .state = NMIB_STATE}), current_policy,
                            [](auto severity, auto &line, auto &context) { log(severity, line, context); }};
    return all;
}

struct Attached {
    explicit Attached(NMDevice *nm_device) : device(nm_device) {}
    NmDevice device;
    DeviceSignals signals{device, activation};
    Activation activation{device, signals, daemon()};
};
} // namespace

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

} // namespace nmib
