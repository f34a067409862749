// SPDX-License-Identifier: LGPL-2.1-or-later
/// The name of a network interface, as the kernel would accept it.
#pragma once
#include <compare>
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

} // namespace nmib
