// SPDX-License-Identifier: LGPL-2.1-or-later
/// Names of network interfaces and of P_Key children.
#pragma once
#include "core/ib/pkey.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nmib
{

/// 1 to 15 bytes without '/', ':', white space and control bytes; not "." or ".." (net/core/dev.c, dev_valid_name,
/// which allows control bytes). Safe in a sysfs path. Output needs printable(): bytes from 0x80 on need not be UTF-8.
class IfName
{
public:
    static constexpr std::size_t max_length = 15;

    static constexpr std::optional<IfName> parse(std::string_view text) noexcept
    {
        if (text.empty() || text.size() > max_length || text == "." || text == "..") return std::nullopt;
        IfName n;
        for (std::size_t i = 0; i < text.size(); i++) {
            const auto c = static_cast<unsigned char>(text[i]);
            if (c <= ' ' || c == 0x7f || c == '/' || c == ':') return std::nullopt;
            n.text_[i] = text[i];
        }
        n.size_ = static_cast<unsigned char>(text.size());
        return n;
    }
    constexpr std::string_view view() const noexcept { return {text_, size_}; }
    const char *c_str() const noexcept { return text_; }
    std::string str() const { return std::string(view()); }
    constexpr std::size_t size() const noexcept { return size_; }
    friend constexpr bool operator==(const IfName &a, const IfName &b) noexcept { return a.view() == b.view(); }
    friend constexpr auto operator<=>(const IfName &a, const IfName &b) noexcept { return a.view() <=> b.view(); }

private:
    constexpr IfName() = default;
    char text_[max_length + 1] = {};
    unsigned char size_ = 0;
};

/// The longest parent name for which kernel and NetworkManager give a P_Key child the same name.
constexpr std::size_t parent_name_limit = 10;

/// The kernel's name of a P_Key child: "%.10s.%04x", the key as written (ipoib_vlan.c, since Linux 6.1.93).
std::optional<IfName> kernel_child_name(const IfName &parent, std::uint16_t key_as_written);

/// The name that NetworkManager expects: "%s.%04x", cut at 15 (nm-platform-utils.c, nmp_utils_new_infiniband_name).
std::optional<IfName> nm_child_name(const IfName &parent, std::uint16_t key_as_written);

/// Returns true if the name ends like a P_Key child's: a dot and four hexadecimal digits.
bool is_child_name(std::string_view name) noexcept;

/// Returns true if `child` is the P_Key child that NetworkManager calls `wanted`, whole or cut at 15, and cannot find,
/// because the kernel shortens the name differently.
bool is_misnamed(const IfName &child, const IfName &parent, PKey key, std::string_view wanted);

} // namespace nmib
