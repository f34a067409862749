// SPDX-License-Identifier: LGPL-2.1-or-later
/// The parts of `nm-ib doctor`: reads the machine, prints the findings, and fixes them.
#pragma once
#include "cli/base/command.hpp"
#include "cli/base/json.hpp"
#include "cli/port/inventory.hpp"
#include "core/doctor/diagnose.hpp"

namespace nmib::cli
{

/// Calls `look` with port and interface, for each interface of a port.
template<class Look> void each_interface(const Inventory &all, Look look)
{
    for (const auto &device : all.devices)
        for (const auto &port : device.ports)
            for (const auto &n : port.interfaces) look(port, n);
}

/// Reads the whole machine, or only one port, interface or profile. Error `absent`: `word` matches nothing.
Result<Host> look_at_machine(const std::string &word);

/// Reads the profiles of type infiniband, and other profiles for the interfaces of RDMA ports.
std::vector<ProfileState> look_at_profiles(const Daemon &daemon, const Inventory &all);

/// Returns keyfiles about InfiniBand that the daemon has not loaded, or that are invalid now. Skips unloaded files
/// whose UUID another profile has, or that a tombstone hides. `loaded`: the files of the daemon's profiles.
std::vector<StrayFile> look_at_keyfiles(const Daemon &daemon, const Words &loaded);

/// Returns earlier samples of error counters and, last, the present one, and keeps them for the next run (only root).
std::vector<CounterSample> read_and_keep_samples(std::span<const RdmaDevice> devices);

/// Reads Data Center Bridging of an interface with iproute2's program dcb, if the machine has this program.
Dcb read_dcb(const IfName &interface);
/// Parses the output of `dcb -j app show` and `dcb -j pfc show`; what is empty or invalid is unknown.
Dcb parse_dcb(const std::string &applications, const std::string &flow_control);

/// Reads the state of programs and services. Null `daemon`: only what does not need NetworkManager.
Services look_at_services(const Daemon *daemon, const Inventory &all);

/// For people: each finding with its reason, remedy and consequences.
std::string text_of(std::span<const Trouble> all, bool coloured);
Json json_of(std::span<const Trouble> all);
/// Returns the exit status for the worst finding, which is the first; success if healthy.
Status outcome(std::span<const Trouble> all);

/// Prints the commands for the findings with these ids (empty: all), asks, and runs them. Returns true if commands ran.
Result<bool, Failure> mend(std::span<const Trouble> all, const Words &ids, bool yes);

/// Reads a file, a pipe or, for "-", standard input. At most 16 MiB.
Result<std::string> read_input(const std::string &file);

/// Reads the reports of many hosts, and prints the problems between hosts.
Status merge_hosts(const Request &request);

} // namespace nmib::cli
