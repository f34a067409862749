// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/port/verbs_events.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <infiniband/verbs.h>

namespace nmib::cli
{

struct VerbsEvents::Library {
    void *handle = nullptr;
    decltype(&::ibv_get_device_list) list = nullptr;
    decltype(&::ibv_free_device_list) free_list = nullptr;
    decltype(&::ibv_open_device) open = nullptr;
    decltype(&::ibv_close_device) close = nullptr;
    decltype(&::ibv_get_async_event) get = nullptr;
    decltype(&::ibv_ack_async_event) acknowledge = nullptr;

    Library() : handle(::dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL))
    {
        const auto find = [&](auto &function, const char *name) {
            function =
                handle ? reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name)) : nullptr;
        };
        find(list, "ibv_get_device_list");
        find(free_list, "ibv_free_device_list");
        find(open, "ibv_open_device");
        find(close, "ibv_close_device");
        find(get, "ibv_get_async_event");
        find(acknowledge, "ibv_ack_async_event");
    }
    bool is_whole() const { return list && free_list && open && close && get && acknowledge; }
};

struct VerbsEvents::Device {
    VerbsEvents *owner;
    std::string name;
    ibv_context *context;
    guint source = 0;
};

VerbsEvents::VerbsEvents(std::function<void()> happened) : happened_(std::move(happened)) {}

VerbsEvents::~VerbsEvents()
{
    while (!devices_.empty()) close(devices_.begin()->first);
}

Words VerbsEvents::watch(const Words &names)
{
    for (auto it = devices_.begin(); it != devices_.end();) { // what is gone is let go, or its driver cannot leave
        const auto name = (it++)->first;
        if (std::find(names.begin(), names.end(), name) == names.end()) close(name);
    }
    Words missing;
    for (const auto &name : names)
        if (!devices_.contains(name)) missing.push_back(name);
    if (missing.empty()) return missing;
    if (!library_) library_ = std::make_unique<Library>();
    if (!library_->is_whole()) return missing;
    int count = 0;
    auto **list = library_->list(&count);
    for (int i = 0; list && i < count; i++) {
        const std::string name = list[i]->name;
        const auto wanted = std::find(missing.begin(), missing.end(), name);
        auto *context = wanted == missing.end() ? nullptr : library_->open(list[i]);
        if (!context) continue;
        missing.erase(wanted);
        auto device = std::make_unique<Device>(Device{this, name, context});
        ::fcntl(context->async_fd, F_SETFL, ::fcntl(context->async_fd, F_GETFL) | O_NONBLOCK);
        device->source = g_unix_fd_add(
            context->async_fd, G_IO_IN,
            [](gint, GIOCondition, gpointer data) -> gboolean {
                auto *self = static_cast<Device *>(data);
                self->owner->take(*self);
                return G_SOURCE_CONTINUE;
            },
            device.get());
        devices_[name] = std::move(device);
    }
    if (list) library_->free_list(list);
    return missing;
}

void VerbsEvents::take(Device &device)
{
    ibv_async_event event{};
    bool is_gone = false;
    while (library_->get(device.context, &event) == 0) {
        is_gone = is_gone || event.event_type == IBV_EVENT_DEVICE_FATAL;
        library_->acknowledge(&event);
    }
    happened_();
    if (is_gone) close(std::string(device.name));
}

void VerbsEvents::close(const std::string &name)
{
    const auto it = devices_.find(name);
    if (it == devices_.end()) return;
    g_source_remove(it->second->source);
    library_->close(it->second->context);
    devices_.erase(it);
}

} // namespace nmib::cli
