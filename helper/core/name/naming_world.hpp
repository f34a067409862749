// SPDX-License-Identifier: LGPL-2.1-or-later
/// Everything on a machine that names interfaces: ports, .link files, udev rules.
#pragma once
#include "core/message/message.hpp"
#include "core/name/link_file.hpp"
#include "core/name/port_name.hpp"
#include "core/name/rdma_rule.hpp"

#include <functional>
#include <set>
#include <span>

namespace nmib
{

// Which .link file udev applies to the interface of a port (systemd 252, net-condition.c and link-config.c). "udevadm
// test-builtin net_setup_link" is more precise, but systemd before 255 applies the file during the test.

/// Whether udev applies a file or rule to an interface. `perhaps`: some conditions are unknown here.
enum class Verdict { no, perhaps, yes };
Verdict matches(const LinkConfig &config, const PortIdentity &port);

/// Tests a condition on the interface's name at its first appearance. The kernel's name is ib<N>; N is unknown if the
/// interface was renamed.
Verdict original_name_holds(const PortIdentity &port, const std::function<bool(const std::string &)> &holds);

/// The first of `configs` (in udev's order) that certainly matches a port; null if there is none.
const LinkConfig *winner(std::span<const LinkConfig> configs, const PortIdentity &port);

struct InterfaceNames {
    int ifindex = 0;
    IfName name;
    std::vector<std::string> alternative{};
};

/// A udev rule that sets NAME=, which overrides any .link file.
struct NameRule {
    std::string path{};
    unsigned line = 0;
    std::string name{}; ///< as written, with udev's substitutions
    /// For each of NamingWorld::ports.
    std::vector<Verdict> verdicts{};
};

struct NamingWorld {
    std::vector<PortIdentity> ports{};        ///< sorted by HCA and number
    std::vector<LinkConfig> configs{};        ///< in udev's order, without files that another directory overrides
    std::vector<InterfaceNames> interfaces{}; ///< sorted by ifindex
    std::vector<NameRule> rules{};            ///< in udev's order
    /// The file that keeps udev from reading .link files (80-net-setup-link.rules, masked); empty if there is none.
    std::string link_files_off{};

    std::vector<RdmaNode> devices{};            ///< of InfiniBand ports, sorted by name
    std::set<std::string> other_devices{};      ///< names of RDMA devices without an InfiniBand port
    std::vector<RdmaRule> rdma_rules{};         ///< of nm-ib, sorted by file name
    std::vector<std::string> earlier_renames{}; ///< "FILE:LINE" of rdma_rename in rules that come before those of nm-ib
    bool has_rdma_rename = false;               ///< rdma-core's program exists

    /// The first file of nm-ib for this port; null if there is none.
    const LinkConfig *own_file(const PortIdentity &port) const;
    /// The port of a file of nm-ib; null if the port is absent.
    const PortIdentity *port_of(const LinkConfig &own) const;
};

/// Returns true if the file name is nm-ib's. The content may have been changed by hand.
bool is_ours(const LinkConfig &config);
/// The match of a file of nm-ib; nullopt if it was changed by hand.
std::optional<PortMatch> match_of(const LinkConfig &own);

struct NameState {
    enum class Code {
        holds,        ///< the interface has the name, and keeps it
        next_boot,    ///< the interface gets the name when udev sees it next
        no_interface, ///< ib_ipoib is not loaded, or the port has no interface
        no_port,      ///< the port is absent
        file_wins,    ///< another file comes first
        rule_wins,    ///< a udev rule names the interface
        taken,        ///< another interface has the name
        files_off,    ///< udev reads no .link file
        odd,          ///< changed by hand, not understood
        no_rdma_core, ///< of an RDMA device: rdma_rename is missing
    };
    Code code;
    std::string path{};  ///< of nm-ib's file
    std::string match{}; ///< which port or device the file is for; empty if unknown
    const PortIdentity *port = nullptr;
    const RdmaNode *device = nullptr; ///< only rdma_name_states()
    PortName name;
    std::string subject{}; ///< the file, rule or interface that prevents the name

    bool holds() const noexcept { return code == Code::holds; }
    /// Returns true if something prevents the name. A name that waits for the next boot is no fault.
    bool is_fault() const noexcept { return code != Code::holds && code != Code::next_boot; }
};

/// A stable word for machines and tables: "next-boot".
std::string_view id(NameState::Code code) noexcept;
/// One line, with the remedy.
Message message(const NameState &state);
std::string text(const NameState &state, Translate translate = untranslated);

/// Returns true if the interface may keep its name at the next boot: the kernel's name, or one from udev.
bool keeps_name(const NamingWorld &world, const PortIdentity &port);

/// The states of all files of nm-ib, in udev's order.
std::vector<NameState> name_states(const NamingWorld &world);
/// The same for RDMA devices.
std::vector<NameState> rdma_name_states(const NamingWorld &world);
/// The state of a port; null if nm-ib has no file for the port.
const NameState *find_state(std::span<const NameState> states, const PortIdentity &port);

} // namespace nmib
