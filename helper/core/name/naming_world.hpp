// SPDX-License-Identifier: LGPL-2.1-or-later
/// All that has to do with the names of interfaces on a machine, as far as it was read.
#pragma once
#include "core/name/link_file.hpp"
#include "core/name/port_name.hpp"

#include <functional>
#include <span>

namespace nmib
{

// Which .link file udev applies to the interface of a port (systemd 252, net-condition.c and link-config.c).
// udevadm test-builtin net_setup_link knows better, but systemd before 255 applies the file meanwhile.

/// Whether udev applies something to an interface. `perhaps`: it depends on what is not looked at here.
enum class Verdict { no, perhaps, yes };
Verdict matches(const LinkConfig &config, const PortIdentity &port);

/// Whether a condition on the interface's name holds when the interface appears. The kernel's name is ib<N>; once the
/// interface has another name, N is not known.
Verdict original_name_holds(const PortIdentity &port, const std::function<bool(const std::string &)> &holds);

/// The first of `configs`, which are in udev's order, that matches a port for sure; null when none does.
const LinkConfig *winner(std::span<const LinkConfig> configs, const PortIdentity &port);

/// The names of any interface, InfiniBand or not.
struct InterfaceNames {
    int ifindex = 0;
    IfName name;
    std::vector<std::string> alternative{};
};

/// A line of a udev rule that sets NAME=, which counts more than any .link file.
struct NameRule {
    std::string path{}; ///< of the file
    unsigned line = 0;
    std::string name{}; ///< what it sets, with udev's substitutions as they stand there
    /// For each of NamingWorld::ports whether the line is for it.
    std::vector<Verdict> verdicts{};
};

struct NamingWorld {
    std::vector<PortIdentity> ports{};        ///< by HCA and number
    std::vector<LinkConfig> configs{};        ///< in udev's order, without those that another directory hides
    std::vector<InterfaceNames> interfaces{}; ///< by ifindex
    std::vector<NameRule> rules{};            ///< in udev's order
    /// The file that keeps udev from reading .link files at all (80-net-setup-link.rules, masked); empty: none.
    std::string link_files_off{};

    /// The first file of ours that was written for this port; null when there is none.
    const LinkConfig *own_file(const PortIdentity &port) const;
    /// The port that a file of ours was written for; null when it is not there.
    const PortIdentity *port_of(const LinkConfig &own) const;
};

/// Is it one of ours, by its name? A person may have changed all that is in it.
bool is_ours(const LinkConfig &config);
/// What a file of ours matches by; nothing when it says something else by now.
std::optional<PortMatch> match_of(const LinkConfig &own);

// Whether the name that a file of ours gives holds.

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
