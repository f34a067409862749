// SPDX-License-Identifier: LGPL-2.1-or-later
/// Diagnoses a machine from the values that were read. No I/O.
#pragma once
#include "core/doctor/host.hpp"
#include "core/doctor/trouble.hpp"

#include <optional>
#include <span>

namespace nmib
{

/// Returns all troubles, the most serious first. Of each port, only the lowest layer with a fault is reported.
std::vector<Trouble> diagnose(const Host &host);

/// Returns true if all troubles are of severity note.
bool is_healthy(std::span<const Trouble> all);

/// The most serious first; otherwise the order stays.
void sort(std::vector<Trouble> &all);

/// The rows that diagnose() or --expect reports.
std::vector<const Kind *> trouble_kinds();

/// The layers, from the lowest up. Each returns its troubles.
namespace layer
{
/// A trouble of a port: an error if the port is wanted, otherwise a warning.
Trouble about(const Host &host, const RdmaDevice &device, const RdmaPort &port);

/// Modules, drivers, and whether this process can see the devices.
std::vector<Trouble> module(const Host &host);
/// Cable, physical state, virtual functions.
std::optional<Trouble> link(const Host &host, const RdmaDevice &device, const RdmaPort &port);
/// Subnet manager and logical state.
std::optional<Trouble> subnet(const Host &host, const RdmaDevice &device, const RdmaPort &port);
/// Subnet managers of several ports.
std::vector<Trouble> managers(const Host &host);
/// Width, speed and errors of links, of ports and of the cards' PCI links.
std::vector<Trouble> link_quality(const Host &host);
/// The P_Key of an interface in its port's table, and the partition's broadcast group.
std::vector<Trouble> partition(const Host &host, const RdmaDevice &device, const RdmaPort &port,
                               const PortNetdev &netdev);
/// What programs need on a port: device nodes, libraries, a default P_Key, routable GIDs.
std::vector<Trouble> verbs(const Host &host);
/// Profiles and their interfaces. Skips the findings of interfaces in `blamed`, because a lower layer has the fault.
std::vector<Trouble> profile(const Host &host, const std::set<std::string> &blamed);
/// Files that are not read or are misread; names of interfaces.
std::vector<Trouble> file(const Host &host);
/// IPv4 subnets that several InfiniBand interfaces share.
std::vector<Trouble> route(const Host &host);
/// What the kernel's log reports.
std::vector<Trouble> kernel(const Host &host);
/// Other services and limits.
std::vector<Trouble> service(const Host &host);
/// Storage over RDMA: NFS and SRP.
std::vector<Trouble> storage(const Host &host);
} // namespace layer

} // namespace nmib
