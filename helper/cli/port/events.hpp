// SPDX-License-Identifier: LGPL-2.1-or-later
/// What announces that a port, an interface or a profile has changed.
#pragma once
#include "cli/base/words.hpp"

#include <functional>
#include <memory>

namespace nmib::cli
{

/// Watches rtnetlink (links), the kernel's uevents, NetworkManager's signals, and the asynchronous events of RDMA
/// devices. It does not say what has changed: whoever is called looks.
class Events
{
public:
    /// `changed` is called from the main loop, once for what happens within a twentieth of a second.
    static Result<std::unique_ptr<Events>> watch(std::function<void()> changed);
    virtual ~Events() = default;

    /// Watches RDMA devices that have come since; the names of those whose events nobody may read, or that have none.
    virtual Words watch_devices(const Words &names) = 0;
};

} // namespace nmib::cli
