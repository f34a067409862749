// SPDX-License-Identifier: LGPL-2.1-or-later
/// What libnm has had only since the version named; the headers we are built with may be older, and what this machine
/// has not is null.
#pragma once
#include <NetworkManager.h>

extern "C" {
#define NMIB_NEWER __attribute__((weak))
/// 1.46: the enum or flags behind a property that is a plain number, or G_TYPE_INVALID.
NMIB_NEWER GType nm_setting_get_enum_property_type(GType setting_type, const char *property_name);
/// 1.52
NMIB_NEWER GType nm_setting_ethtool_fec_mode_get_type(void);
NMIB_NEWER guint nm_setting_connection_get_num_ip_ping_addresses(NMSettingConnection *setting);
NMIB_NEWER gboolean nm_setting_connection_add_ip_ping_address(NMSettingConnection *setting, const char *address);
NMIB_NEWER void nm_setting_connection_remove_ip_ping_address(NMSettingConnection *setting, guint index);
NMIB_NEWER gboolean nm_setting_connection_remove_ip_ping_address_by_value(NMSettingConnection *setting,
                                                                          const char *address);
#undef NMIB_NEWER
}
