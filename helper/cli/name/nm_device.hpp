// SPDX-License-Identifier: LGPL-2.1-or-later
/// An interface in NetworkManager's hands: what is active on it, and taking that down and up.
#pragma once
#include "cli/daemon/daemon.hpp"
#include "core/ib/ifname.hpp"

#include <chrono>

namespace nmib::cli
{

struct Held {
    std::string
        device{}; ///< D-Bus object; empty where NetworkManager has none for the interface, or does not manage it
    std::string active{};  ///< the active connection's; empty: nothing is active
    std::string profile{}; ///< of what is active
    std::string id{};      ///< the profile's name, for people
    bool settled = false;  ///< it is all up, not on its way
    /// It is a stored profile, which can be brought up again: neither found on the interface nor gone with it.
    bool lasting = false;
};

Held held(const Daemon &daemon, const IfName &interface);

/// Takes down what is active on a device, and waits for it. Nothing comes up on it by itself before somebody brings a
/// profile up.
Result<void> disconnect(const Daemon &daemon, const std::string &device);
/// Brings a profile up and waits until it is, except for a limit of 0. `device` may be empty for one that makes its
/// own.
Result<void> activate(const Daemon &daemon, const Held &what, const std::string &device, std::chrono::seconds limit);
/// Waits until NetworkManager knows the device by this name.
Result<void> wait_for_name(const Daemon &daemon, const std::string &device, const IfName &name);
/// What is active on a device follows its profile, as far as that is possible at once.
Result<void> reapply(const Daemon &daemon, const std::string &device);

/// Asks again and again; false when it did not come true in this time.
bool wait_until(std::chrono::milliseconds limit, const std::function<bool()> &is_true);

} // namespace nmib::cli
