// SPDX-License-Identifier: LGPL-2.1-or-later
/// The transport mode of an IPoIB interface: datagram (RFC 4391) or connected (RFC 4755).
#pragma once
#include <optional>
#include <string_view>

namespace nmib
{

enum class TransportMode { datagram, connected };

/// The word of kernel and NetworkManager. In sysfs, the kernel refuses the word without a newline.
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
