// SPDX-License-Identifier: LGPL-2.1-or-later
/// Compares the machine with what should be there.
#pragma once
#include "core/doctor/host.hpp"
#include "core/doctor/trouble.hpp"

#include <map>

namespace nmib
{

/// Values by device ("mlx5_0"), port ("mlx5_0/1") or interface ("ib0"), then by key ("rate").
using Expected = std::map<std::string, std::map<std::string, std::string>>;

/// Returns the first "KEY=VALUE" that no machine has: the keys are a device's (firmware, board_id), a port's
/// (link_layer, state, rate, mtu_active, subnet_manager) or an interface's (port, up, carrier, p_key, mode, mtu), with
/// values as present() gives them. `where` of a port has a '/'.
std::optional<std::string> impossible_line(const std::string &where, const std::map<std::string, std::string> &values);

/// Returns the present values of devices, ports and interfaces. An interface that is down has only port and up. A value
/// that cannot be read is absent. subnet_manager is the manager's GUID; "yes" if it is not known; "no" if none answers.
Expected present(const Host &host);

/// "8@400": at least 8 active ports, of any link layer, with at least 400 Gb/s each.
struct ExpectedPorts {
    unsigned count = 0, gbps = 0;
    /// "COUNT@GBPS", both at least 1.
    static std::optional<ExpectedPorts> parse(std::string_view text) noexcept;
};

/// Returns what is missing or different, and not the consequences: of a missing device not its ports. An expected
/// subnet_manager is "yes", "no" or a list of GUIDs, separated by spaces.
std::vector<Trouble> compare(const Host &host, const Expected &expected);
std::vector<Trouble> compare(const Host &host, const ExpectedPorts &expected);

} // namespace nmib
