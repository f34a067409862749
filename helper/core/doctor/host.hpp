// SPDX-License-Identifier: LGPL-2.1-or-later
/// What doctor knows of a machine before it judges.
#pragma once
#include "core/doctor/profile_state.hpp"
#include "core/doctor/services.hpp"
#include "core/ib/rdma_device.hpp"
#include "core/name/naming_world.hpp"

#include <memory>
#include <set>

namespace nmib
{

/// An IPv4 network that an IPoIB interface is in.
struct IpNetwork {
    std::string interface, network; ///< "10.0.0.0/24"
    /// It answers ARP for its own addresses only, announces no others, and takes packets that another would have sent
    /// (arp_ignore, arp_announce, rp_filter): somebody has thought of interfaces that share a subnet.
    bool answers_alone = false;
};

struct Host {
    std::vector<RdmaDevice> devices{};
    std::vector<RdmaDevice> others{}; ///< that the command line leaves out
    bool has_device = true;           ///< of the machine; `devices` has those that are looked at
    bool has_daemon = true;           ///< NetworkManager was asked for profiles
    bool has_ipoib = true;            ///< the module ib_ipoib is there
    bool has_umad = true;             ///< likewise ib_umad
    /// Functions of InfiniBand cards that have a PCI driver and no RDMA device: PCI address and driver.
    std::vector<std::pair<std::string, std::string>> bare_functions{};
    std::vector<std::string> unbound_functions{}; ///< the same without any driver: PCI address
    bool has_vendor_stack = false; ///< the vendor's modules (mlx_compat) are loaded, not the kernel's own
    /// Devices of libibverbs (uverbs0) without a node in /dev, and RDMA devices without a provider for it, with that
    /// provider's name.
    std::vector<std::pair<std::string, std::string>> missing_nodes{}, missing_providers{};
    std::vector<IpNetwork> networks{}; ///< of IPoIB interfaces
    std::vector<ProfileState> profiles{};
    std::vector<StrayFile> files{};
    std::shared_ptr<const NamingWorld> naming{}; ///< null: not read
    Services services{};
    std::set<std::string> wanted{}; ///< interfaces that profiles are for
    bool named = false;             ///< the command line names a port or a profile, and only that is looked at

    bool looks_at(const RdmaDevice &device) const
    {
        for (const auto &d : devices)
            if (d.name == device.name) return true;
        return false;
    }
    /// The card of a virtual function; null if it is not known here.
    const RdmaDevice *card_of(const RdmaDevice &function) const
    {
        for (const auto *all : {&devices, &others})
            for (const auto &device : *all)
                if (function.physical_function && device.bus == *function.physical_function) return &device;
        return nullptr;
    }
    /// A port that neither a profile nor the command line names may be without a cable.
    bool wants(const PortNetdev &netdev) const { return named || wanted.contains(netdev.name.str()); }
    bool wants(const RdmaPort &port) const
    {
        for (const auto &n : port.interfaces)
            if (wants(n)) return true;
        return named;
    }
};

} // namespace nmib
