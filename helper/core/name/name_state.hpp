// SPDX-License-Identifier: LGPL-2.1-or-later
/// Whether the name that a file of ours gives holds.
#pragma once
#include "core/name/naming_world.hpp"

namespace nmib
{

struct NameState {
    enum class Code {
        holds,        ///< the interface is called so, and will be
        next_boot,    ///< it will be called so when udev sees it next
        no_interface, ///< ib_ipoib is not loaded, or has none on this port
        no_port,      ///< no such port is there
        file_wins,    ///< another file comes first
        rule_wins,    ///< a udev rule names the interface
        taken,        ///< another interface is called so
        files_off,    ///< udev reads no .link file
        odd,          ///< the file was changed by hand, and it is not understood
    };
    Code code;
    const LinkConfig *own; ///< never null
    const PortIdentity *port = nullptr;
    PortName name;
    std::string subject{}; ///< what is in the way

    bool holds() const noexcept { return code == Code::holds; }
    /// Something stands in the way. A name that waits for the next boot is no fault.
    bool is_fault() const noexcept { return code != Code::holds && code != Code::next_boot; }
};

/// A word for the code, for machines and for tables: "next-boot".
std::string_view id(NameState::Code code) noexcept;
/// One line with the way out, for every code.
std::string text(const NameState &state, Translate translate = untranslated);

/// Whether the interface of a port may have its name at the next boot, too: the kernel's, or one that udev gives.
bool keeps_name(const NamingWorld &world, const PortIdentity &port);

/// Of every file of ours, in udev's order.
std::vector<NameState> name_states(const NamingWorld &world);
/// That of a port; null when no file of ours is for it.
const NameState *find_state(std::span<const NameState> states, const PortIdentity &port);

} // namespace nmib
