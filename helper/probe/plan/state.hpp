// SPDX-License-Identifier: LGPL-2.1-or-later
/// State since boot that no kernel file has: /run/NetworkManager/nm-infiniband. There is one small file per kind and
/// interface name, so no cleaning is needed. A reader trusts a file only in the epoch in which it was written.
#pragma once
#include "core/plan/facts.hpp"
#include "core/plan/leftover.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace nmib
{

// /run/NetworkManager/nm-infiniband/crash-marker: records whether the daemon was running the plugin's code when it
// ended. The plugin holds a lock on the file; other programs test the lock to learn whether the plugin is in charge.

/// One line of fixed length, so that writing it, or only its first byte, is never half done.
struct MarkerRecord {
    static constexpr const char *file = "crash-marker";
    static constexpr std::size_t size = 40;
    static constexpr unsigned most_unstable = 3; ///< bad starts in a row after which the plugin does not load

    bool inside = false;   ///< the plugin's code is running
    unsigned unstable = 0; ///< starts in a row that loaded the plugin and neither lasted nor ended cleanly

    std::string str() const;
    static std::optional<MarkerRecord> parse(std::string_view text);
    /// The first byte of str(), to be written in place.
    static char mark(bool inside) noexcept { return inside ? '!' : '.'; }
};

/// Takes the lock that means "in charge", until the last process closes the open file description, even by a crash
/// (fcntl(2), F_OFD_SETLK).
/// @param fd open for writing, never opened by other users, who could hold a conflicting lock
Result<void> take_charge(int fd);
/// Returns true if the plugin is in charge in a running daemon. Any user may test the lock; only root can hold it.
bool plugin_in_charge(const Dir &state);

/// The MTU that the kernel granted when more was requested. Valid for one mode, until the carrier changes.
struct Ceiling {
    TransportMode mode;
    Mtu mtu;
    std::uint64_t carrier_changes;

    std::string str() const; ///< "datagram 2044 3\n"
    static std::optional<Ceiling> parse(std::string_view text);
};

/// Reads a ceiling; nothing if it is for another mode or carrier. `state` is /run/NetworkManager/nm-infiniband.
std::optional<Mtu> read_ceiling(const std::string &state, const Dir &sysfs, const Link &link);
/// Reads the interface's carrier change counter, the epoch of a ceiling.
std::optional<std::uint64_t> carrier_changes(const Dir &sysfs, const IfName &link);

/// Kinds: a ceiling; a child that a profile made; logged lines; a profile's rdma.* words, with the previous values;
/// a port's answers (dispatch/handle).
constexpr std::string_view state_mtu = "mtu", state_child = "child", state_logged = "logged", state_rdma = "rdma",
                           state_port = "port";
/// The digest of the policy that is in force in the plugin (PolicyRead::digest).
constexpr const char *state_configuration = "configuration";
/// Returns a file name: "mtu-ib0.8001".
std::string state_file(std::string_view kind, const IfName &name);
/// For a kind that follows its interface through renames: "rdma-7". The kernel never reuses a number.
std::string state_file(std::string_view kind, int ifindex);
std::optional<std::string> read_state(const std::string &state, std::string_view kind, int ifindex);
/// Nothing if the number in the first line is another interface's, which had the same name before.
std::optional<std::string> read_state(const std::string &state, std::string_view kind, const IfName &name, int ifindex);

/// NetworkManager's note on a device (/run/NetworkManager/devices/<ifindex>, nm-config.c).
struct DeviceNote {
    bool nm_owned = false;    ///< a profile made the interface
    bool taken = false;       ///< the administrator made it unmanaged (nmcli device set ... managed no)
    std::string profile_uuid; ///< of the active profile
};
std::optional<DeviceNote> read_device_note(const Dir &devices, int ifindex);
/// Returns the use of an interface, without `request` and `may_wait`. `devices` is /run/NetworkManager/devices.
ChildUse read_child_use(const std::string &devices, const LinkRow &link);

} // namespace nmib
