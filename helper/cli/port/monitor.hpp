// SPDX-License-Identifier: LGPL-2.1-or-later
/// Events that announce a change of a port, an interface or a profile.
#pragma once
#include "cli/base/words.hpp"

#include <functional>
#include <map>
#include <memory>

namespace nmib::cli
{

/// Watches rtnetlink (links), the kernel's uevents, NetworkManager's signals, and the asynchronous events of RDMA
/// devices. Ignores interfaces that are on no RDMA port. Does not report what changed: the callback reads that.
class Events
{
public:
    /// Calls `changed` from the main loop, once for all events within 50 ms.
    static Result<std::unique_ptr<Events>> start(std::function<void()> changed);
    virtual ~Events() = default;

    /// Sets the RDMA devices, and their interfaces by ifindex. Returns devices without events that this user may read.
    virtual Words watch(const Words &devices, std::map<int, std::string> interfaces) = 0;
};

/// The asynchronous events of RDMA devices: port state, LID, subnet manager, P_Keys, GIDs (ibv_get_async_event(3)).
/// Loads libibverbs on first use: no other command waits for it.
class VerbsEvents
{
public:
    explicit VerbsEvents(std::function<void()> happened);
    ~VerbsEvents();
    VerbsEvents(const VerbsEvents &) = delete;
    VerbsEvents &operator=(const VerbsEvents &) = delete;

    /// Watches these devices, and closes all others. Returns the devices that cannot be watched.
    Words watch(const Words &names);

private:
    struct Library;
    struct Device;
    void take(Device &device);
    void close(const std::string &name);

    std::function<void()> happened_;
    std::unique_ptr<Library> library_;
    std::map<std::string, std::unique_ptr<Device>> devices_;
};

} // namespace nmib::cli
