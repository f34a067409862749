// SPDX-License-Identifier: LGPL-2.1-or-later
/// What was learned since boot and no file of the kernel says: /run/NetworkManager/nm-infiniband. One small file of
/// each kind and name of an interface, so that they need no cleaning; a reader never trusts one further than the epoch
/// it was written in.
#pragma once
#include "core/plan/facts.hpp"
#include "probe/base/dir.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace nmib
{

// The device plugin's note on itself, /run/NetworkManager/nm-infiniband/crash-marker: whether the daemon was running
// the plugin's code when it ended. The plugin writes it and holds a lock on it; others ask for the lock to learn
// whether the plugin is in charge.

/// One line of text of a fixed length, so that a write of it, or of its first byte alone, is never half done.
struct MarkerRecord {
    static constexpr const char *file = "crash-marker";
    static constexpr std::size_t size = 40;
    static constexpr unsigned most_unstable = 3; ///< as many bad starts in a row are the end of it

    bool inside = false;   ///< the plugin's code is running right now
    unsigned unstable = 0; ///< starts in a row that came to no clean end soon after loading, before this one
    bool calm = true;      ///< this start has lasted, has ended cleanly, or has not loaded the plugin yet

    std::string str() const;
    static std::optional<MarkerRecord> parse(std::string_view text);
    /// The first byte of str(), for one write in place.
    static char mark(bool inside) noexcept { return inside ? '!' : '.'; }

    /// How many bad starts in a row there are, when the process that wrote this is gone.
    unsigned unstable_now() const noexcept { return calm ? 0 : unstable + 1; }
};

/// Takes the lock that says "in charge", for as long as the descriptor is open. A lock of an open file description
/// (fcntl(2), F_OFD_SETLK) goes with the last process that has it open, however that ends.
/// @param fd open for writing; no other user may have been able to open the file before, or that user could hold a lock
Result<void> take_charge(int fd);
/// Is there a daemon whose activations the plugin takes care of? `state` is /run/NetworkManager/nm-infiniband. Anybody
/// may ask, and only who may write the file, root, can be the answer.
bool plugin_in_charge(const Dir &state);

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

/// The kinds there are: a ceiling; a child that a profile made; what was logged of an activation;
/// the rdma.* words of a profile, and what was there before them.
constexpr std::string_view state_mtu = "mtu", state_child = "child", state_told = "told", state_rdma = "rdma";
/// The name of a file: "mtu-ib0.8001".
std::string state_file(std::string_view kind, const IfName &name);
/// Of a kind that follows its interface through renames: "rdma-7". The kernel gives no number twice.
std::string state_file(std::string_view kind, int ifindex);
std::optional<std::string> read_state(const std::string &state, std::string_view kind, int ifindex);
/// What is kept of an interface; nothing of another one that had its name, which the number in the first line shows.
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
