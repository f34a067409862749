// SPDX-License-Identifier: LGPL-2.1-or-later
/// A defect of some hardware, and what to do about it. Quirks are data (data/quirks.d, nm-ib-quirks(5)); this is their
/// shape and how one matches.
#pragma once
#include "core/plan/facts.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

struct Quirk {
    std::string name; ///< the keyfile's group, e.g. "mlx4-connectx-a0-lso"
    std::string file; ///< where it was read, for messages

    /// Every condition that is set must hold.
    struct Match {
        std::string driver; ///< PCI driver; empty: any
        std::optional<std::uint16_t> vendor;
        std::vector<std::uint16_t> devices; ///< empty: any
        std::optional<std::uint32_t> revision;
        std::optional<bool> rc_capable;
        std::size_t name_longer_than = 0; ///< length of the port's interface name; 0: any
    } match;

    enum class Scope { port, port_and_children } scope = Scope::port_and_children;

    struct Setting {
        FeatureName name;
        bool on;
    };
    std::vector<Setting> features; ///< offloads to force
    bool no_connected = false;     ///< connected mode must not be used
    bool try_connected = false;    ///< the driver may refuse connected mode although the address promises it
    std::string reason;            ///< one phrase: why connected mode is denied, or an offload forced
    std::string warning;           ///< shown when it matches
};

/// Does the quirk concern this interface? A child is judged by its port's interface and HCA.
bool matches(const Quirk &quirk, const Facts &facts, const Link &link) noexcept;
/// Could it, if the HCA were one that it speaks of?
bool may_match(const Quirk &quirk, const Facts &facts, const Link &link) noexcept;

// What the administrator decided for the whole machine: nm-ib.conf(5) and the quirk files.

struct Policy {
    enum class Impossible { fall_back, fail };
    Impossible connected_impossible = Impossible::fall_back; ///< a profile asks for connected mode where there is none
    bool plugin = true;                                      ///< the device plugin may work
    bool remove_leftovers = true; ///< P_Key children that NetworkManager made and left behind
    bool debug = false;           ///< also logs why nothing was done
    std::vector<Quirk> quirks;
};

} // namespace nmib
