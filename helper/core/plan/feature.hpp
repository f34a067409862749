// SPDX-License-Identifier: LGPL-2.1-or-later
/// An offload of a network interface, by the kernel's own name.
#pragma once
#include <array>
#include <compare>
#include <optional>
#include <string_view>

namespace nmib
{

/// "tx-tcp-segmentation" and the like: 1 to 31 bytes of [a-z0-9-] (include/uapi/linux/ethtool.h, ETH_GSTRING_LEN).
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

/// A feature on one interface. In connected mode TSO is inactive and may still be requested: it comes back with
/// datagram mode, so whether a feature is on is `requested`, never `active` (ipoib_main.c, ipoib_fix_features).
struct Feature {
    FeatureName name;
    bool available;    ///< the driver offers it and it can be changed
    bool requested;    ///< what was asked for (the kernel's wanted_features)
    bool known = true; ///< this kernel has a feature of that name
    friend bool operator==(const Feature &, const Feature &) noexcept = default;
};

} // namespace nmib
