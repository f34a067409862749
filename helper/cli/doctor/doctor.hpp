// SPDX-License-Identifier: LGPL-2.1-or-later
/// The parts of `nm-ib doctor`: reads what is judged, shows what was found, and mends it.
#pragma once
#include "cli/base/command.hpp"
#include "cli/base/json.hpp"
#include "cli/port/inventory.hpp"
#include "core/doctor/diagnose.hpp"

namespace nmib::cli
{

/// Calls `look` with the port and the interface, for each interface on a port.
template<class Look> void each_interface(const Inventory &all, Look look)
{
    for (const auto &device : all.devices)
        for (const auto &port : device.ports)
            for (const auto &n : port.interfaces) look(port, n);
}

/// The whole machine, or only what is about one port, interface or profile. An Error of kind `absent` when `word` is
/// none of these.
Result<Host> look_at_machine(const std::string &word);

/// The profiles that are about InfiniBand, or about its interfaces.
std::vector<ProfileState> look_at_profiles(const Daemon &daemon, const Inventory &all);

/// Keyfiles about InfiniBand that the daemon has not loaded. A file is skipped if another one has its UUID, or a
/// tombstone hides it. `loaded`: the files of the daemon's profiles.
std::vector<StrayFile> look_at_keyfiles(const Daemon &daemon, const Words &loaded);

/// What else runs here. Without a daemon only what needs none.
Services look_at_services(const Daemon *daemon, const Inventory &all);

/// For people: what is wrong, why it matters, what mends it, and what follows from it.
std::string text_of(std::span<const Trouble> all, bool coloured);
Json json_of(std::span<const Trouble> all);
/// How the command ends: by the worst of them.
std::optional<Failure> outcome(std::span<const Trouble> all);

/// Shows the commands that mend the troubles (of these ids; none: of all), asks, and runs them. True when some were
/// run, so that the machine is to be looked at again.
Result<bool> mend(std::span<const Trouble> all, const Words &ids, bool yes);

/// Reads the reports of many hosts, and prints what is wrong between them.
std::optional<Failure> merge_hosts(const Request &request);

} // namespace nmib::cli
