// SPDX-License-Identifier: LGPL-2.1-or-later
/// Preloaded into the daemon by tests: makes the daemon look unknown to the plugin, and makes the plugin fail. The
/// plugin itself is unchanged.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <glib-object.h>
#include <linux/rtnetlink.h>
#include <new>
#include <sys/socket.h>
#include <unistd.h>

extern "C" void *__libc_malloc(std::size_t size);

namespace
{
/// Returns true if the address is in the object.
bool is_in(const void *address, const char *object) noexcept
{
    Dl_info info{};
    return ::dladdr(address, &info) && info.dli_fname && std::strstr(info.dli_fname, object);
}

/// Returns true if the file exists. Leaves errno as it is: the plugin reads it after it has allocated memory for a
/// text.
bool is_set(const char *file) noexcept
{
    const int before = errno;
    const bool exists = ::access(file, F_OK) == 0;
    errno = before;
    return exists;
}

bool ours(const void *address) noexcept { return is_in(address, "libnm-device-plugin-infiniband"); }

/// Replaces an MTU that is too high by one that no kernel accepts.
void limit_mtu(const msghdr *message)
{
    const char *most = std::getenv("FAULT_MTU");
    auto *header = static_cast<nlmsghdr *>(message->msg_iov->iov_base);
    if (!most || message->msg_iov->iov_len < NLMSG_LENGTH(sizeof(ifinfomsg)) || header->nlmsg_type != RTM_NEWLINK)
        return;
    auto *attribute = IFLA_RTA(NLMSG_DATA(header));
    for (int n = static_cast<int>(IFLA_PAYLOAD(header)); RTA_OK(attribute, n); attribute = RTA_NEXT(attribute, n)) {
        auto *mtu = static_cast<std::uint32_t *>(RTA_DATA(attribute));
        if (attribute->rta_type == IFLA_MTU && *mtu > static_cast<std::uint32_t>(std::atoi(most))) *mtu = 0x7fffffff;
    }
}
} // namespace

extern "C" {

/// FAULT_CLASS_SIZE, FAULT_INSTANCE_SIZE: the number of bytes to add to the size of NMDeviceFactory.
void g_type_query(GType type, GTypeQuery *query)
{
    static const auto next = reinterpret_cast<void (*)(GType, GTypeQuery *)>(::dlsym(RTLD_NEXT, "g_type_query"));
    next(type, query);
    if (!query->type_name || std::strcmp(query->type_name, "NMDeviceFactory") != 0) return;
    const auto more = [](const char *name) {
        const char *value = std::getenv(name);
        return value ? static_cast<guint>(std::atoi(value)) : 0;
    };
    query->class_size += more("FAULT_CLASS_SIZE");
    query->instance_size += more("FAULT_INSTANCE_SIZE");
}

/// FAULT_PARENT: the plugin gets another parent of NMDeviceFactory.
GType g_type_parent(GType type)
{
    static const auto next = reinterpret_cast<GType (*)(GType)>(::dlsym(RTLD_NEXT, "g_type_parent"));
    return std::getenv("FAULT_PARENT") && ours(__builtin_return_address(0)) ? G_TYPE_INITIALLY_UNOWNED : next(type);
}

/// FAULT_NO_TYPE: GLib refuses the plugin's type.
GType g_type_register_static(GType parent, const gchar *name, const GTypeInfo *info, GTypeFlags flags)
{
    using Register = GType (*)(GType, const gchar *, const GTypeInfo *, GTypeFlags);
    static const auto next = reinterpret_cast<Register>(::dlsym(RTLD_NEXT, "g_type_register_static"));
    if (std::getenv("FAULT_NO_TYPE") && ours(__builtin_return_address(0))) return 0;
    return next(parent, name, info, flags);
}

/// FAULT_SECOND: milliseconds that a second of the plugin's timers takes.
guint g_timeout_add_seconds_full(gint priority, guint seconds, GSourceFunc function, gpointer data, GDestroyNotify drop)
{
    using Add = guint (*)(gint, guint, GSourceFunc, gpointer, GDestroyNotify);
    static const auto next = reinterpret_cast<Add>(::dlsym(RTLD_NEXT, "g_timeout_add_seconds_full"));
    const char *second = std::getenv("FAULT_SECOND");
    if (!second || !ours(__builtin_return_address(0))) return next(priority, seconds, function, data, drop);
    return g_timeout_add_full(priority, seconds * static_cast<guint>(std::atoi(second)), function, data, drop);
}
guint g_timeout_add_seconds(guint seconds, GSourceFunc function, gpointer data)
{
    static const auto next =
        reinterpret_cast<guint (*)(guint, GSourceFunc, gpointer)>(::dlsym(RTLD_NEXT, "g_timeout_add_seconds"));
    const char *second = std::getenv("FAULT_SECOND");
    if (!second || !ours(__builtin_return_address(0))) return next(seconds, function, data);
    return g_timeout_add(seconds * static_cast<guint>(std::atoi(second)), function, data);
}

/// FAULT_DEVICE: the type that the plugin gets for NMDeviceInfiniband.
GType g_type_from_name(const gchar *name)
{
    static const auto next = reinterpret_cast<GType (*)(const gchar *)>(::dlsym(RTLD_NEXT, "g_type_from_name"));
    const char *instead = std::getenv("FAULT_DEVICE");
    const bool ask = instead && !std::strcmp(name, "NMDeviceInfiniband") && ours(__builtin_return_address(0));
    return next(ask ? instead : name);
}

/// FAULT_NO_HOOKS: the name of a signal that refuses emission hooks. FAULT_SIGNAL: the name of a signal that
/// gets another signature: with FAULT_RETURNS a result, with FAULT_PARAMS one parameter fewer, with FAULT_TEXT texts.
void g_signal_query(guint signal, GSignalQuery *query)
{
    static const auto next = reinterpret_cast<void (*)(guint, GSignalQuery *)>(::dlsym(RTLD_NEXT, "g_signal_query"));
    next(signal, query);
    const char *without = std::getenv("FAULT_NO_HOOKS");
    if (without && query->signal_name && !std::strcmp(without, query->signal_name))
        query->signal_flags = static_cast<GSignalFlags>(query->signal_flags | G_SIGNAL_NO_HOOKS);
    const char *other = std::getenv("FAULT_SIGNAL");
    if (!other || !query->signal_name || std::strcmp(other, query->signal_name) != 0) return;
    static constexpr GType texts[] = {G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING};
    if (std::getenv("FAULT_RETURNS")) query->return_type = G_TYPE_BOOLEAN;
    if (std::getenv("FAULT_PARAMS")) query->n_params--;
    if (std::getenv("FAULT_TEXT")) query->param_types = texts;
}
/// FAULT_NO_HOOK: the number of the hook that GLib refuses, from 1.
gulong g_signal_add_emission_hook(guint signal, GQuark detail, GSignalEmissionHook function, gpointer data,
                                  GDestroyNotify destroy)
{
    using Add = gulong (*)(guint, GQuark, GSignalEmissionHook, gpointer, GDestroyNotify);
    static const auto next = reinterpret_cast<Add>(::dlsym(RTLD_NEXT, "g_signal_add_emission_hook"));
    static int hook = 0;
    const char *refused = std::getenv("FAULT_NO_HOOK");
    return refused && std::atoi(refused) == ++hook ? 0 : next(signal, detail, function, data, destroy);
}

/// The plugin's netlink requests fail with EPERM while /run/fault/netlink exists. libnl is linked into the plugin, or
/// in a sanitized build beside the plugin; the daemon does not use libnl. FAULT_MTU: the highest MTU that the kernel
/// accepts, whichever program requests it.
ssize_t sendmsg(int fd, const msghdr *message, int flags)
{
    static const auto next = reinterpret_cast<ssize_t (*)(int, const msghdr *, int)>(::dlsym(RTLD_NEXT, "sendmsg"));
    const auto *caller = __builtin_return_address(0);
    limit_mtu(message);
    const bool is_plugins = ours(caller) || is_in(caller, "libnl-3");
    if (!is_plugins || !is_set("/run/fault/netlink")) return next(fd, message, flags);
    errno = EPERM;
    return -1;
}

#ifndef SANITIZED
/// The plugin gets no memory while /run/fault/starve exists, except the C++ runtime's emergency pool for exceptions.
/// The daemon crashes while /run/fault/crash exists.
void *malloc(std::size_t size)
{
    if (is_set("/run/fault") && ours(__builtin_return_address(0))) {
        if (is_set("/run/fault/crash")) __builtin_trap();
        if (size < 32768 && is_set("/run/fault/starve")) return nullptr;
    }
    return __libc_malloc(size);
}
#endif
}

#ifdef SANITIZED
/// The same for the sanitized plugin: the only C++ in the daemon, so operator new is the plugin's.
void *operator new(std::size_t size)
{
    static const auto next = reinterpret_cast<void *(*)(std::size_t)>(::dlsym(RTLD_NEXT, "_Znwm"));
    if (is_set("/run/fault/crash")) __builtin_trap();
    if (is_set("/run/fault/starve")) throw std::bad_alloc();
    return next(size);
}
#endif
