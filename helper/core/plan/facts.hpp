// SPDX-License-Identifier: LGPL-2.1-or-later
/// The values of the kernel and the fabric. helper/probe or a test fills them in.
#pragma once
#include "core/ib/rdma_device.hpp"
#include "core/plan/feature.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nmib
{

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
    bool mtu_refused = false;         ///< the kernel refused the MTU that was requested
    std::optional<PKey> pkey{};       ///< the kernel's, membership bit set
    bool has_profile = false;         ///< children only: a profile is active on the child, and decides
    bool up = false;                  ///< administratively
    bool carrier = false;             ///< the broadcast group is joined
    std::optional<Mtu> mtu_ceiling{}; ///< since the carrier came, the kernel refused or lowered an MTU above this
    std::vector<Feature> features{};  ///< features that quirks name, if readable
    /// Why quirks cannot be judged: unreadable offloads, or device of a port's own interface. Empty: nothing failed.
    std::string unread{};

    bool is_child() const noexcept { return parent != 0; }
};

/// One port, and interfaces of it.
struct Facts {
    std::optional<RdmaDevice> device; ///< with this port alone; nullopt: none, or unreadable (Link::unread)
    std::vector<Link> links;          ///< sorted by ifindex

    const Link *find(int ifindex) const noexcept;
    Link *find(int ifindex) noexcept;
    /// The port's own interface: the link's parent, or the link itself. Null if the parent is not in the facts.
    const Link *root(const Link &link) const noexcept;
    /// Null if the device is unknown.
    const RdmaPort *port() const noexcept
    {
        return device && !device->ports.empty() ? &device->ports.front() : nullptr;
    }
    void sort();
};

/// The request of a profile for one interface. The profile leaves unset values alone.
struct Intent {
    int ifindex = 0;       ///< of the interface on which the profile is active
    std::string profile{}; ///< connection.id, for messages
    std::optional<TransportMode> mode{};
    std::optional<Mtu> mtu{};       ///< 0: "auto", the kernel's value
    Mtu ipv6_mtu = 0;               ///< ipv6.mtu; 0: that of the interface, or unknown
    bool mtu_was_requested = false; ///< by NetworkManager; an MTU that the kernel accepted is not requested again
    std::optional<bool> mtu_was_changed{}; ///< since then, by another program; nothing: unknown
    bool mtu_is_settled = false;           ///< a difference is reported; nothing is requested
    bool offloads_are_settled = false;     ///< those of the profile are applied, and override a quirk
    std::optional<std::uint16_t> p_key{};  ///< as written, with or without the membership bit; P_Key children only
    std::optional<IfName> parent{};        ///< as written; may be unset in a P_Key profile
    bool anywhere = false;                 ///< no interface-name: any interface that matches
    bool skip = false;                     ///< rdma.skip is yes: everything is left to NetworkManager
    struct Asked {
        FeatureName name;
        bool on;
    };
    std::vector<Asked> features{}; ///< ethtool.feature-* in the profile: the administrator's decision
};

} // namespace nmib
