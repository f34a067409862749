// SPDX-License-Identifier: LGPL-2.1-or-later
/// Preloaded into the daemon by tests: makes the daemon look unknown to the plugin, and makes the plugin fail. The
/// plugin itself is unchanged.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <glib-object.h>
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

bool ours(const void *address) noexcept { return is_in(address, "libnm-device-plugin-infiniband"); }
} // namespace

extern "C" {

/// FAULT_CLASS_SIZE: the number of bytes to add to the size of NMDeviceFactory's class.
void g_type_query(GType type, GTypeQuery *query)
{
    static const auto next = reinterpret_cast<void (*)(GType, GTypeQuery *)>(::dlsym(RTLD_NEXT, "g_type_query"));
    next(type, query);
    const char *more = std::getenv("FAULT_CLASS_SIZE");
    if (more && query->type_name && !std::strcmp(query->type_name, "NMDeviceFactory"))
        query->class_size += static_cast<guint>(std::atoi(more));
}

/// FAULT_DEVICE: the type that the plugin gets for NMDeviceInfiniband.
GType g_type_from_name(const gchar *name)
{
    static const auto next = reinterpret_cast<GType (*)(const gchar *)>(::dlsym(RTLD_NEXT, "g_type_from_name"));
    const char *instead = std::getenv("FAULT_DEVICE");
    const bool ask = instead && !std::strcmp(name, "NMDeviceInfiniband") && ours(__builtin_return_address(0));
    return next(ask ? instead : name);
}

/// FAULT_NO_HOOKS: the name of a signal that refuses emission hooks; "refused": the signal accepts them, and adding one
/// fails.
void g_signal_query(guint signal, GSignalQuery *query)
{
    static const auto next = reinterpret_cast<void (*)(guint, GSignalQuery *)>(::dlsym(RTLD_NEXT, "g_signal_query"));
    next(signal, query);
    const char *without = std::getenv("FAULT_NO_HOOKS");
    if (without && query->signal_name && !std::strcmp(without, query->signal_name))
        query->signal_flags = static_cast<GSignalFlags>(query->signal_flags | G_SIGNAL_NO_HOOKS);
}
gulong g_signal_add_emission_hook(guint signal, GQuark detail, GSignalEmissionHook function, gpointer data,
                                  GDestroyNotify destroy)
{
    using Add = gulong (*)(guint, GQuark, GSignalEmissionHook, gpointer, GDestroyNotify);
    static const auto next = reinterpret_cast<Add>(::dlsym(RTLD_NEXT, "g_signal_add_emission_hook"));
    const char *without = std::getenv("FAULT_NO_HOOKS");
    return without && !std::strcmp(without, "refused") ? 0 : next(signal, detail, function, data, destroy);
}

/// The plugin's netlink requests fail with EPERM while /run/fault/netlink exists. libnl is linked into the plugin, or
/// in a sanitized build beside the plugin; the daemon does not use libnl.
ssize_t sendmsg(int fd, const msghdr *message, int flags)
{
    static const auto next = reinterpret_cast<ssize_t (*)(int, const msghdr *, int)>(::dlsym(RTLD_NEXT, "sendmsg"));
    const auto *caller = __builtin_return_address(0);
    const bool is_plugins = ours(caller) || is_in(caller, "libnl-3");
    if (!is_plugins || ::access("/run/fault/netlink", F_OK) != 0) return next(fd, message, flags);
    errno = EPERM;
    return -1;
}

#ifndef SANITIZED
/// The plugin gets no memory while /run/fault/starve exists, except the C++ runtime's emergency pool for exceptions.
/// The daemon crashes while /run/fault/crash exists.
void *malloc(std::size_t size)
{
    if (::access("/run/fault", F_OK) == 0 && ours(__builtin_return_address(0))) {
        if (::access("/run/fault/crash", F_OK) == 0) __builtin_trap();
        if (size < 32768 && ::access("/run/fault/starve", F_OK) == 0) return nullptr;
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
    if (::access("/run/fault/crash", F_OK) == 0) __builtin_trap();
    if (::access("/run/fault/starve", F_OK) == 0) throw std::bad_alloc();
    return next(size);
}
#endif
