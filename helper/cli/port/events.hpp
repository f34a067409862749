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

} // namespace nmib::cli
