// SPDX-License-Identifier: LGPL-2.1-or-later
/// The name of a network interface, as the kernel would accept it.
#pragma once
#include "core/ib/pkey.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nmib
{

/// 1 to 15 bytes; no '/', ':', white space or control byte; not "." or ".." (net/core/dev.c dev_valid_name, less the
/// control bytes that the kernel lets pass and a terminal would not survive). A name can therefore be part of a sysfs
/// path as it is; for a person it still goes through printable(), bytes from 0x80 on need not be text.
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

// How kernel and NetworkManager name a P_Key child. They differ once the parent's name has more than ten characters.

/// The longest parent name for which kernel and NetworkManager agree.
constexpr std::size_t parent_name_limit = 10;

/// What the kernel makes of `create_child`: "%.10s.%04x", the key as it was written (ipoib_vlan.c, since Linux 6.1.93).
std::optional<IfName> kernel_child_name(const IfName &parent, std::uint16_t key_as_written);

/// What NetworkManager looks for afterwards: "%s.%04x", cut at 15 (nm-platform-utils.c, nmp_utils_new_infiniband_name).
/// With a parent of 15 characters that is the parent's own name.
std::optional<IfName> nm_child_name(const IfName &parent, std::uint16_t key_as_written);

/// Is it written as both name a child: a dot and four hexadecimal digits at the end?
bool is_child_name(std::string_view name) noexcept;

/// Is that child what became of one that NetworkManager calls `wanted`, whole or cut at 15, and cannot find, since the
/// kernel shortens the name otherwise?
bool is_misnamed(const IfName &child, const IfName &parent, PKey key, std::string_view wanted);

} // namespace nmib
