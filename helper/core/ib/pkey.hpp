// SPDX-License-Identifier: LGPL-2.1-or-later
/// An InfiniBand partition key (InfiniBand Architecture, volume 1, section 10.9).
#pragma once
#include "core/base/text.hpp"

#include <compare>
#include <cstdint>

namespace nmib
{

/// 15 bits of partition number. Bit 15 is the membership: set for full, clear for limited. Partition 0 does not exist,
/// so 0x0000 and 0x8000 are invalid (ib_ipoib refuses them too: ipoib_vlan.c).
class PKey
{
public:
    static constexpr std::optional<PKey> from(std::uint32_t value) noexcept
    {
        if (value > 0xffff || (value & 0x7fff) == 0) return std::nullopt;
        return PKey(static_cast<std::uint16_t>(value));
    }

    /// Hexadecimal, as in sysfs.
    static std::optional<PKey> parse(std::string_view text) noexcept
    {
        const auto value = parse_hex(text, 0xffff);
        return value ? from(static_cast<std::uint32_t>(*value)) : std::nullopt;
    }

    constexpr std::uint16_t value() const noexcept { return value_; }
    constexpr std::uint16_t partition() const noexcept { return value_ & 0x7fff; }
    constexpr bool has_partition_of(PKey other) const noexcept { return partition() == other.partition(); }
    constexpr bool is_default() const noexcept { return partition() == 0x7fff; } ///< the partition of the port itself
    constexpr bool full_member() const noexcept { return (value_ & 0x8000) != 0; }
    /// The key that ib_ipoib uses: the membership bit is always set (ipoib_main.c, ipoib_ndo_init).
    constexpr PKey full() const noexcept { return PKey(value_ | 0x8000); }
    std::string str() const { return hex(value_, 4); } ///< "0x8002"
    friend constexpr auto operator<=>(PKey, PKey) noexcept = default;

private:
    constexpr explicit PKey(int value) noexcept : value_(static_cast<std::uint16_t>(value)) {}
    std::uint16_t value_;
};

} // namespace nmib
