// SPDX-License-Identifier: LGPL-2.1-or-later
/// From what was read of a machine to what is wrong with it. No I/O.
#pragma once
#include "core/doctor/host.hpp"
#include "core/doctor/trouble.hpp"

#include <optional>
#include <span>

namespace nmib
{

/// All that is wrong, the most serious first; of a healthy machine nothing. Of each port only the lowest layer that
/// fails is blamed: what follows from it is among its consequences.
std::vector<Trouble> diagnose(const Host &host);

/// Nothing but information.
bool is_healthy(std::span<const Trouble> all);

/// Every kind of trouble there is, by layer.
std::vector<const Trouble::Kind *> trouble_kinds();

/// The layers, from the lowest up. Each says what fails in it, or nothing.
namespace layer
{
/// What is said of a port: an error where the port is asked for, a warning elsewhere.
Trouble about(const Host &host, const RdmaDevice &device, const RdmaPort &port);

/// Card and modules.
std::vector<Trouble> module(const Host &host);
std::optional<Trouble> module(const Host &host, const RdmaDevice &device, const RdmaPort &port);
/// Cable, physical state, virtual functions.
std::optional<Trouble> link(const Host &host, const RdmaDevice &device, const RdmaPort &port);
/// Subnet manager and logical state.
std::optional<Trouble> subnet(const Host &host, const RdmaDevice &device, const RdmaPort &port);
/// The P_Key of an interface, against the table of its port, and the broadcast group of that partition.
std::vector<Trouble> partition(const Host &host, const RdmaDevice &device, const RdmaPort &port,
                               const PortNetdev &netdev);
/// What programs need of a port: nodes, libraries, a default P_Key, GIDs that reach.
std::vector<Trouble> verbs(const Host &host);
/// Profiles, against their interfaces. Of those in `blamed` something below is wrong already, and what an activation
/// would get of them is no news.
std::vector<Trouble> profile(const Host &host, const std::set<std::string> &blamed);
/// Files that no program reads, or that are taken for something else; names of interfaces.
std::vector<Trouble> file(const Host &host);
/// Addresses and routes.
std::vector<Trouble> route(const Host &host);
/// Other services, limits, and what the kernel's log says.
std::vector<Trouble> service(const Host &host);
/// Storage over RDMA: NFS and SRP.
std::vector<Trouble> storage(const Host &host);

extern const std::span<const Trouble::Kind> port_kinds, profile_kinds, file_kinds, service_kinds;
} // namespace layer

} // namespace nmib
