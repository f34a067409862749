// SPDX-License-Identifier: LGPL-2.1-or-later
/// An offload of a network interface, by the kernel's name.
#pragma once
#include <array>
#include <compare>
#include <optional>
#include <string_view>

namespace nmib
{

/// For example "tx-tcp-segmentation": 1 to 31 bytes of [a-z0-9-] (include/uapi/linux/ethtool.h, ETH_GSTRING_LEN).
/// Feature numbers differ between kernels, names do not.
class FeatureName
{
public:
    static constexpr std::optional<FeatureName> parse(std::string_view text) noexcept
    {
        FeatureName n;
        if (text.empty() || text.size() >= n.text_.size()) return std::nullopt;
        for (std::size_t i = 0; i < text.size(); i++) {
            const char c = text[i];
            if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return std::nullopt;
            n.text_[i] = c;
        }
        return n;
    }
    constexpr std::string_view view() const noexcept { return {text_.data()}; }
    friend constexpr auto operator<=>(const FeatureName &, const FeatureName &) noexcept = default;

private:
    constexpr FeatureName() = default;
    std::array<char, 32> text_{};
};

/// A feature of one interface. Connected mode makes TSO inactive, but TSO stays requested and returns with datagram
/// mode. So `requested` decides, never the active state (ipoib_main.c, ipoib_fix_features).
struct Feature {
    FeatureName name;
    bool available;    ///< the driver offers it, and it can be changed
    bool requested;    ///< the kernel's wanted_features
    bool known = true; ///< this kernel has a feature of this name
    friend bool operator==(const Feature &, const Feature &) noexcept = default;
};

} // namespace nmib
