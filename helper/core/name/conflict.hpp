// SPDX-License-Identifier: LGPL-2.1-or-later
/// What stands against a name for a port.
#pragma once
#include "core/name/naming_world.hpp"

namespace nmib
{

struct Conflict {
    enum class Code {
        interface_name,   ///< another interface is called so
        alternative_name, ///< it is an alternative name of another interface
        own_file,         ///< a file of ours gives the name to another port
        other_file,       ///< a file of others gives the name to something
        second_file,      ///< a file of others names this port
        file_wins,        ///< a file of others, in front of ours, matches the port
        file_may_win,     ///< the same, as far as can be seen
        rule_wins,        ///< a udev rule names this port
        rule_may_win,     ///< the same, as far as can be seen
        link_files_off,   ///< udev reads no .link file
    };
    Code code;
    std::string subject{}; ///< an interface, a file, or file:line
    /// Only a warning: it is not known.
    bool may_be_wrong() const noexcept { return code == Code::file_may_win || code == Code::rule_may_win; }
    /// --force goes on all the same: it may be what is wanted, or be going to change.
    bool can_be_forced() const noexcept { return code != Code::own_file; }
};

/// In the order of Code. `port` is one of `world.ports`.
std::vector<Conflict> conflicts(const NamingWorld &world, const PortIdentity &port, const PortName &name);
/// One line with the way out.
std::string text(const Conflict &conflict, const PortIdentity &port, const PortName &name,
                 Translate translate = untranslated);

// Names for all ports of a machine at once.

struct Proposal {
    const PortIdentity *port; ///< never null
    PortName name;
};

/// For every port that no file of ours is for: the family of its HCA, "_ib" and a number that counts the ports of the
/// family in the order of `world.ports`: mlx5_ib0, mlx5_ib1. At most ten characters. A name that anything uses already,
/// or that `taken` holds, is skipped.
std::vector<Proposal> propose_names(const NamingWorld &world, std::span<const std::string> taken = {});

} // namespace nmib
