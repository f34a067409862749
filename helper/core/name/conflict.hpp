// SPDX-License-Identifier: LGPL-2.1-or-later
/// Conflicts of a port's new name.
#pragma once
#include "core/name/naming_world.hpp"

namespace nmib
{

struct Conflict {
    enum class Code {
        interface_name,   ///< another interface has the name
        alternative_name, ///< another interface has the name as an alternative name
        own_file,         ///< a file of nm-ib gives the name to another port
        other_file,       ///< another program's file gives the name to an interface
        second_file,      ///< another program's file names this port
        file_wins,        ///< another program's file comes first and matches the port
        file_may_win,     ///< the same, but the match is uncertain
        rule_wins,        ///< a udev rule names this port
        rule_may_win,     ///< the same, but the match is uncertain
        link_files_off,   ///< udev reads no .link file
    };
    Code code;
    std::string subject{}; ///< interface, file, or file:line
    /// Returns true if the conflict is uncertain: only a warning.
    bool may_be_wrong() const noexcept { return code == Code::file_may_win || code == Code::rule_may_win; }
    /// Returns true if --force ignores the conflict, because the user may want it or may remove it later.
    bool can_be_forced() const noexcept { return code != Code::own_file; }
};

/// Sorted by code. `port` is an element of `world.ports`.
std::vector<Conflict> conflicts(const NamingWorld &world, const PortIdentity &port, const PortName &name);
/// One line, with the remedy.
std::string text(const Conflict &conflict, const PortIdentity &port, const PortName &name,
                 Translate translate = untranslated);

struct Proposal {
    const PortIdentity *port; ///< never null
    PortName name;
};

/// "mlx5" for the driver mlx5_core or, without a driver, mlx5_0; otherwise "ib".
std::string hca_family(const PortIdentity &port);

/// Proposes a name for each port without a file of nm-ib: the HCA's family, "_ib" and a number, in the order of
/// `world.ports`: mlx5_ib0, mlx5_ib1. At most 10 characters. Names in use and names in `taken` are skipped.
std::vector<Proposal> propose_names(const NamingWorld &world, std::span<const std::string> taken = {});

} // namespace nmib
