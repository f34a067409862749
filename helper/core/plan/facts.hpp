// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the kernel and the fabric say, as plain values. Filled in by probe/, or by a test.
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

/// A host channel adapter: one PCI function and the RDMA device on it.
struct Hca {
    std::string name;   ///< RDMA device name, e.g. "mlx4_0" (not stable: rdma-core may rename it)
    std::string driver; ///< name of the PCI driver, e.g. "mlx4_core"; empty when the device has none
    std::uint16_t vendor = 0;
    std::uint16_t device = 0;
    std::uint8_t pci_revision = 0;
    std::optional<std::uint32_t>
        hw_rev; ///< what the RDMA driver reports; decides over the PCI revision where it is there
    std::uint32_t revision() const noexcept { return hw_rev.value_or(pci_revision); }
};

/// A port of an HCA. Only InfiniBand link layers get here.
struct Port {
    std::size_t hca = 0;                     ///< index into Facts::hcas
    unsigned number = 1;                     ///< counted from 1
    std::optional<std::uint16_t> sm_lid = 0; ///< 0: no subnet manager seen; nothing: it could not be read
    bool pkeys_known = false;                ///< `pkeys` was read
    std::vector<std::uint16_t> pkeys{};      ///< the P_Key table, without its empty entries
};

/// An IPoIB interface: a port's own (no parent), or a P_Key child of one.
struct Link {
    int ifindex = 0;
    IfName name;
    int parent = 0; ///< ifindex of the port's interface; 0 for the port's interface itself
    HwAddr address{};
    Mtu mtu = 0;
    TransportMode mode = TransportMode::datagram;
    bool mode_writable = true;      ///< sysfs shows a `mode` file (not on children made over rtnetlink, nor on a kernel
                                    ///< without connected mode)
    bool connected_refused = false; ///< the driver said no although the address promises it
    std::optional<PKey> pkey{};     ///< as the kernel holds it, membership bit set
    bool has_profile = false;       ///< read of a port's children only: a profile is active on it, and decides for it
    bool up = false;                ///< administratively
    bool carrier = false;           ///< the broadcast group is joined
    std::optional<Mtu> mtu_ceiling{};  ///< more than this was asked for since the carrier came, and refused or lowered
    std::vector<Feature> features{};   ///< those that quirks speak of, as far as they were read
    std::string unread{};              ///< why quirks cannot be judged: what of the offloads, or of the HCA behind a
                                       ///< port's interface, could not be read; empty: all was, or is not there
    std::optional<std::size_t> port{}; ///< index into Facts::ports; a child's is its parent's

    bool is_child() const noexcept { return parent != 0; }
};

struct Facts {
    std::vector<Hca> hcas;
    std::vector<Port> ports;
    std::vector<Link> links; ///< sorted by ifindex

    /// The link with that ifindex, or null.
    const Link *find(int ifindex) const noexcept;
    Link *find(int ifindex) noexcept;
    /// The interface of the port a link belongs to: its parent, or itself. Null if the parent is not among the facts.
    const Link *root(const Link &link) const noexcept;
    const Port *port(const Link &link) const noexcept;
    const Hca *hca(const Link &link) const noexcept;
    /// Restores the order of `links`.
    void sort();
};

// What a profile asks of one interface. Unset means: not this profile's business, leave it.

struct Intent {
    int ifindex = 0;       ///< the interface the profile is active on
    std::string profile{}; ///< its id, for messages
    std::optional<TransportMode> mode{};
    std::optional<Mtu> mtu{};             ///< 0 is "auto": the kernel's
    bool mtu_is_settled = false;          ///< NetworkManager has asked for it; a higher one is not asked for again
    std::optional<std::uint16_t> p_key{}; ///< as written, membership bit or not; set for a P_Key child's profile
    std::optional<IfName> parent{};       ///< as written; a P_Key profile may have none
    bool anywhere = false;                ///< without an interface-name: on each interface that fits
    bool skip = false;                    ///< rdma.skip yes: all of it is left to NetworkManager
    struct Asked {
        FeatureName name;
        bool on;
    };
    std::vector<Asked> features{}; ///< ethtool.feature-* written in the profile: the administrator's word
};

} // namespace nmib
