// SPDX-License-Identifier: LGPL-2.1-or-later
/// What else runs on the machine that decides about InfiniBand.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nmib
{

/// A process that registers memory with a card, and how much it may lock.
struct MemlockLimit {
    std::string name{}; ///< its command
    int pid = 0;
    std::uint64_t bytes = 0; ///< RLIMIT_MEMLOCK, soft; the largest number: unlimited
};

/// A line of the kernel's log.
struct KernelLine {
    std::uint64_t usec = 0; ///< after boot
    std::string text{};
};

struct Services {
    bool plugin_installed = false, plugin_loaded = true; ///< loaded: also where nobody can tell
    bool plugin_replaced = false; ///< the daemon runs a file that is no more: another version has taken its place
    /// Of the dispatcher helper's file, when nm-dispatcher refuses to run it.
    std::string dispatcher_fault{}, dispatcher_path{};
    std::set<std::string> failed_units{};           ///< "opensm@0x0002c9030010c0de.service"
    bool openibd = false;                           ///< the vendor's service is active
    std::set<std::string> networkd{};               ///< IPoIB interfaces that systemd-networkd configures
    std::set<std::string> managed{};                ///< interfaces that NetworkManager manages
    std::optional<std::uint64_t> wait_online_end{}; ///< microseconds after boot; nothing where it did not run
    std::vector<MemlockLimit> limits{};
    std::vector<KernelLine> log{};
};

} // namespace nmib
