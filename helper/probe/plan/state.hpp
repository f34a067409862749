// SPDX-License-Identifier: LGPL-2.1-or-later
/// What was learned since boot and no file of the kernel says: /run/NetworkManager/nm-infiniband. One small file of
/// each kind and name of an interface, so that they need no cleaning; a reader never trusts one further than the epoch
/// it was written in.
#pragma once
#include "core/plan/facts.hpp"
#include "probe/base/dir.hpp"

#include <cstdint>

namespace nmib
{

/// The most the kernel gave when more was asked for. It holds for one mode and as long as the carrier did not change.
struct Ceiling {
    TransportMode mode;
    Mtu mtu;
    std::uint64_t carrier_changes;

    std::string str() const; ///< "datagram 2044 3\n"
    static std::optional<Ceiling> parse(std::string_view text);
};

/// `state` is /run/NetworkManager/nm-infiniband. Nothing when there is none, or when it is of another mode or carrier.
std::optional<Mtu> read_ceiling(const std::string &state, const Dir &sysfs, const Link &link);
/// How often the interface's carrier changed; the epoch of a ceiling.
std::optional<std::uint64_t> carrier_changes(const Dir &sysfs, const IfName &link);

/// The kinds there are: a ceiling; a child that a profile made; what was told of an activation;
/// the rdma.* words of a profile, and what was there before them.
constexpr std::string_view state_mtu = "mtu", state_child = "child", state_told = "told", state_rdma = "rdma";
/// The name of a file: "mtu-ib0.8001".
std::string state_file(std::string_view kind, const IfName &name);
/// Of a kind that follows its interface through renames: "rdma-7". The kernel gives no number twice.
std::string state_file(std::string_view kind, int ifindex);
std::optional<std::string> read_state(const std::string &state, std::string_view kind, int ifindex);
/// What is kept of an interface; nothing of another one that had its name, which the number in the first line tells.
std::optional<std::string> read_state(const std::string &state, std::string_view kind, const IfName &name, int ifindex);

/// NetworkManager's own note on a device (/run/NetworkManager/devices/<ifindex>, nm-config.c): did a profile of it make
/// the interface, has the administrator taken that from it (nmcli device set ... managed no), is a profile active on
/// it.
struct DeviceNote {
    bool nm_owned = false;
    bool taken = false;
    std::string profile_uuid;
};
std::optional<DeviceNote> read_device_note(const Dir &devices, int ifindex);

} // namespace nmib
