// SPDX-License-Identifier: LGPL-2.1-or-later
/// GUIDs and the 20-byte IPoIB link-layer address (RFC 4391, section 9.1.1).
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nmib
{

/// A 64-bit GUID of a port or node: the stable part of an IPoIB address.
struct Guid {
    std::uint64_t value = 0;
    std::string str() const;   ///< "f452:1403:007b:e1b1", as in sysfs
    std::string bytes() const; ///< "f4:52:14:03:00:7b:e1:b1", as at the end of a hardware address
    /// Parses 16 hexadecimal digits, also with "0x" (ibstat), or grouped by 2 or 4 with ':', '-', '.' (ip link, sysfs).
    static std::optional<Guid> parse(std::string_view text) noexcept;
    friend constexpr bool operator==(Guid, Guid) noexcept = default;
    friend constexpr auto operator<=>(Guid a, Guid b) noexcept { return a.value <=> b.value; }
};

/// Byte 0: flags; 1-3: QPN; 4-11: subnet prefix; 12-19: port GUID. Reboots and subnet managers change QPN and prefix,
/// not the GUID.
class HwAddr
{
public:
    static constexpr std::size_t size = 20;
    HwAddr() = default;
    static std::optional<HwAddr> from(std::span<const std::uint8_t> bytes) noexcept;
    /// Parses 20 hexadecimal bytes, separated by ':' or '-'.
    static std::optional<HwAddr> parse(std::string_view text) noexcept;

    /// Returns true if the device can use connected mode, whatever its current mode (ipoib.h, IPOIB_FLAGS_RC).
    bool rc_capable() const noexcept { return (bytes_[0] & 0x80) != 0; }
    std::uint8_t flags() const noexcept { return bytes_[0]; }
    /// Queue pair number, 24 bits.
    std::uint32_t qpn() const noexcept
    {
        return static_cast<std::uint32_t>(bytes_[1]) << 16 | static_cast<std::uint32_t>(bytes_[2]) << 8 | bytes_[3];
    }
    Guid subnet_prefix() const noexcept;
    Guid guid() const noexcept;
    std::string str() const;
    /// The DHCP client identifier that NetworkManager sends: type 32 and the GUID (RFC 4390).
    std::string dhcp_client_id() const { return "20:" + guid().bytes(); }
    friend bool operator==(const HwAddr &, const HwAddr &) noexcept = default;

private:
    std::array<std::uint8_t, size> bytes_{};
};

} // namespace nmib
