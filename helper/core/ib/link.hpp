// SPDX-License-Identifier: LGPL-2.1-or-later
/// Width and speed of a port's link, and of the PCI link of a card.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nmib
{

/// The signalling rate of one lane, slowest first (InfiniBand Architecture, volume 1, 14.2.5.6, LinkSpeedActive,
/// LinkSpeedExtActive and LinkSpeedExtActive2). fdr10 is Mellanox's own; PortInfo shows it as qdr.
enum class LaneSpeed { none, sdr, ddr, qdr, fdr10, fdr, edr, hdr, ndr, xdr };
std::string_view word(LaneSpeed speed) noexcept; ///< "NDR"; empty for none

/// What a link runs at, or the most that a port enables or supports. 0 lanes, speed none: unknown.
struct PortLink {
    unsigned lanes = 0;
    LaneSpeed speed = LaneSpeed::none;
    /// Parses the end of sysfs's rate: "4X NDR". SDR has no word there: "1X".
    static std::optional<PortLink> parse(std::string_view text) noexcept;
    unsigned mbps() const noexcept; ///< of all lanes, including the line code
    std::string str() const;        ///< "4X NDR"
    friend bool operator==(const PortLink &, const PortLink &) = default;
};

/// PortInfo (InfiniBand Architecture, volume 1, 14.2.5.6), as far as it is needed.
struct PortInfo {
    unsigned mtu = 0, max_mtu = 0; ///< bytes, 256 to 4096: NeighborMTU, MTUCap
    PortLink active{}, enabled{}, supported{};
    /// Parses the 64 bytes of the attribute. nullopt: too short, or no valid MTU.
    static std::optional<PortInfo> parse(std::span<const std::uint8_t> data) noexcept;
};

/// A PCI Express link (Documentation/ABI/testing/sysfs-bus-pci, current_link_speed and others).
struct PciLink {
    unsigned mtps = 0;  ///< megatransfers a second on each lane: 8000 for "8.0 GT/s PCIe"; 0: unknown
    unsigned lanes = 0; ///< 0: unknown
    static PciLink parse(std::string_view speed, std::string_view width) noexcept;
    bool is_known() const noexcept { return mtps != 0 && lanes != 0; }
    unsigned mbps() const noexcept; ///< of all lanes, without the line code, with packet headers
    unsigned gbits() const noexcept { return mbps() / 1000; }
    std::string str() const; ///< "8 GT/s x4 (31 Gbit/s)"
};

/// "0000:05:00.0"; the domain may have more than 4 digits.
bool is_pci_address(std::string_view word) noexcept;

/// A PCI function between card and root. Its link: upwards for a card or an upstream port, downwards for a root or a
/// downstream port.
struct PciHop {
    std::string address; ///< "0000:05:00.0"
    PciLink current{}, maximum{};
};
/// A link that runs below what both ends support.
struct NarrowPciLink {
    const PciHop *lower; ///< the function at its lower end
    PciLink possible;
};
/// Returns the narrowest such link. nullopt: each link runs at the most that both ends support, or an end is unknown.
std::optional<NarrowPciLink> narrow_link(std::span<const PciHop> path) noexcept;

} // namespace nmib
