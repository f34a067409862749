// SPDX-License-Identifier: LGPL-2.1-or-later
/// The transport mode of an IPoIB interface (RFC 4391 datagram, RFC 4755 connected).
#pragma once
#include <optional>
#include <string_view>

namespace nmib
{

enum class TransportMode { datagram, connected };

/// The kernel's and NetworkManager's word for it; write it to sysfs with a newline behind, or the kernel refuses it.
constexpr std::string_view name(TransportMode mode) noexcept
{
    return mode == TransportMode::connected ? "connected" : "datagram";
}

constexpr std::optional<TransportMode> parse_mode(std::string_view text) noexcept
{
    if (text == "datagram") return TransportMode::datagram;
    if (text == "connected") return TransportMode::connected;
    return std::nullopt;
}

} // namespace nmib
