// SPDX-License-Identifier: LGPL-2.1-or-later
/// What announces that a port, an interface or a profile has changed.
#pragma once
#include "cli/base/words.hpp"

#include <functional>
#include <map>
#include <memory>

namespace nmib::cli
{

/// Watches rtnetlink (links), the kernel's uevents, NetworkManager's signals, and the asynchronous events of RDMA
/// devices. Events of an interface that is on no RDMA port are dropped. It does not say what has changed: whoever is
/// called looks.
class Events
{
public:
    /// `changed` is called from the main loop, once for what happens within a twentieth of a second.
    static Result<std::unique_ptr<Events>> start(std::function<void()> changed);
    virtual ~Events() = default;

    /// The RDMA devices, and the interfaces on their ports by ifindex, as they are now. Returns the devices whose
    /// events this user may not read, or that have none.
    virtual Words watch(const Words &devices, std::map<int, std::string> interfaces) = 0;
};

// The asynchronous events of RDMA devices: port state, LID, subnet manager, P_Keys, GIDs (ibv_get_async_event(3)).

/// libibverbs is opened when it is needed: no other command waits for it.
class VerbsEvents
{
public:
    explicit VerbsEvents(std::function<void()> happened);
    ~VerbsEvents();
    VerbsEvents(const VerbsEvents &) = delete;
    VerbsEvents &operator=(const VerbsEvents &) = delete;

    /// Those of these devices that are not watched yet; the names of those that cannot be.
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
