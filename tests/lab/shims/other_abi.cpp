// SPDX-License-Identifier: LGPL-2.1-or-later
/// Preloaded into NetworkManager by the scenario abi-mismatch: NMDeviceFactory looks as if its class had grown.
#include <cstring>
#include <dlfcn.h>
#include <glib-object.h>

extern "C" void g_type_query(GType type, GTypeQuery *query)
{
    const auto real = reinterpret_cast<void (*)(GType, GTypeQuery *)>(dlsym(RTLD_NEXT, "g_type_query"));
    real(type, query);
    if (query->type_name && std::strcmp(query->type_name, "NMDeviceFactory") == 0)
        query->class_size += static_cast<guint>(sizeof(void *));
}
