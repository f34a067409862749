// SPDX-License-Identifier: LGPL-2.1-or-later
/// The values of the kernel and the fabric. helper/probe or a test fills them in.
#pragma once
#include "core/ib/hwaddr.hpp"
#include "core/ib/ifname.hpp"
#include "core/ib/mode.hpp"
#include "core/ib/mtu.hpp"
#include "core/ib/pkey.hpp"
#include "core/plan/feature.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nmib
{

/// A host channel adapter: a PCI function and its RDMA device.
struct Hca {
    std::string name;   ///< RDMA device, e.g. "mlx4_0"; not stable: rdma-core may rename it
    std::string driver; ///< PCI driver, e.g. "mlx4_core"; empty if there is none
    std::uint16_t vendor = 0;
    std::uint16_t device = 0;
    std::uint8_t pci_revision = 0;
    std::optional<std::uint32_t> hw_rev; ///< from the RDMA driver; overrides pci_revision
    std::uint32_t revision() const noexcept { return hw_rev.value_or(pci_revision); }
};

/// A port of an HCA; InfiniBand only.
struct Port {
    std::size_t hca = 0;                     ///< index into Facts::hcas
    unsigned number = 1;                     ///< counted from 1
    std::optional<std::uint16_t> sm_lid = 0; ///< 0: no subnet manager seen; nullopt: not readable
    bool pkeys_known = false;
    std::vector<PKey> pkeys{}; ///< the P_Key table without empty entries
};

/// An IPoIB interface: a port's own, or a P_Key child.
struct Link {
    int ifindex = 0;
    IfName name;
    int parent = 0; ///< ifindex of the port's own interface; 0: this is the port's own
    HwAddr address{};
    Mtu mtu = 0;
    TransportMode mode = TransportMode::datagram;
    /// sysfs has a `mode` file: not for a child made over rtnetlink, nor on a kernel without connected mode.
    bool mode_writable = true;
    bool connected_refused = false;   ///< by the driver, although the address promises connected mode
    std::optional<PKey> pkey{};       ///< the kernel's, membership bit set
    bool has_profile = false;         ///< children only: a profile is active on the child, and decides
    bool up = false;                  ///< administratively
    bool carrier = false;             ///< the broadcast group is joined
    std::optional<Mtu> mtu_ceiling{}; ///< since the carrier came, the kernel refused or lowered an MTU above this
    std::vector<Feature> features{};  ///< features that quirks name, if readable
    /// Why quirks cannot be judged: unreadable offloads, or HCA of a port's own interface. Empty: nothing failed.
    std::string unread{};
    std::optional<std::size_t> port{}; ///< index into Facts::ports; of a child: see Facts::port()

    bool is_child() const noexcept { return parent != 0; }
};

struct Facts {
    std::vector<Hca> hcas;
    std::vector<Port> ports;
    std::vector<Link> links; ///< sorted by ifindex

    const Link *find(int ifindex) const noexcept;
    Link *find(int ifindex) noexcept;
    /// The port's own interface: the link's parent, or the link itself. Null if the parent is not in the facts.
    const Link *root(const Link &link) const noexcept;
    const Port *port(const Link &link) const noexcept;
    const Hca *hca(const Link &link) const noexcept;
    void sort();
};

/// The request of a profile for one interface. The profile leaves unset values alone.
struct Intent {
    int ifindex = 0;       ///< of the interface on which the profile is active
    std::string profile{}; ///< connection.id, for messages
    std::optional<TransportMode> mode{};
    std::optional<Mtu> mtu{};    ///< 0: "auto", the kernel's value
    bool mtu_is_settled = false; ///< NetworkManager has requested the MTU, and a refused MTU is not requested again
    std::optional<std::uint16_t> p_key{}; ///< as written, with or without the membership bit; P_Key children only
    std::optional<IfName> parent{};       ///< as written; may be unset in a P_Key profile
    bool anywhere = false;                ///< no interface-name: any interface that matches
    bool skip = false;                    ///< rdma.skip is yes: everything is left to NetworkManager
    struct Asked {
        FeatureName name;
        bool on;
    };
    std::vector<Asked> features{}; ///< ethtool.feature-* in the profile: the administrator's decision
};

} // namespace nmib
