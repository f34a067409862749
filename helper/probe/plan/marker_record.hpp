// SPDX-License-Identifier: LGPL-2.1-or-later
/// The device plugin's note on itself, /run/NetworkManager/nm-infiniband/crash-marker: whether the daemon was running
/// the plugin's code when it ended. The plugin writes it and holds a lock on it; others ask for the lock to learn
/// whether the plugin is in charge.
#pragma once
#include "probe/base/dir.hpp"

#include <optional>
#include <string>

namespace nmib
{

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
/// @param fd open for writing; nobody else may have been able to open the file before, or he could hold a lock
Result<void> take_charge(int fd);
/// Is there a daemon whose activations the plugin takes care of? `state` is /run/NetworkManager/nm-infiniband. Anybody
/// may ask, and only who may write the file, root, can be the answer.
bool plugin_in_charge(const Dir &state);

} // namespace nmib
