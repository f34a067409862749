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

} // namespace nmib
