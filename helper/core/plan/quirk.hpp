// SPDX-License-Identifier: LGPL-2.1-or-later
/// Hardware defects and their remedies. Quirks are data (data/quirks.d, nm-ib-quirks(5)); this file has their form and
/// how they match.
#pragma once
#include "core/plan/facts.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

struct Quirk {
    std::string name; ///< group in the keyfile, e.g. "mlx4-connectx-a0-lso"
    std::string file; ///< the quirk file

    /// All conditions that are set must hold.
    struct Match {
        std::string driver; ///< PCI driver; empty: any
        std::optional<std::uint16_t> vendor;
        std::vector<std::uint16_t> devices; ///< empty: any
        std::optional<std::uint32_t> revision;
        std::optional<bool> rc_capable;
        std::size_t name_longer_than = 0; ///< of the port's own interface, in bytes; 0: any
    } match;

    enum class Scope { port, port_and_children } scope = Scope::port_and_children;

    struct Setting {
        FeatureName name;
        bool on;
    };
    std::vector<Setting> features; ///< offloads to set
    bool no_connected = false;     ///< connected mode is forbidden
    bool try_connected = false;    ///< the driver may refuse connected mode although the address promises it
    std::string reason;            ///< one phrase: why connected mode is forbidden, or an offload set
    std::string warning;           ///< shown if the quirk matches
};

/// Returns true if the quirk matches. A child is judged by the interface and the HCA of its port.
bool matches(const Quirk &quirk, const Facts &facts, const Link &link) noexcept;
/// Returns true if the quirk matches, without regard to its conditions on the HCA.
bool may_match(const Quirk &quirk, const Facts &facts, const Link &link) noexcept;

} // namespace nmib
