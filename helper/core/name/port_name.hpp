// SPDX-License-Identifier: LGPL-2.1-or-later
/// The name that an administrator gives a port's interface.
#pragma once
#include "core/base/message.hpp"
#include "core/ib/ifname.hpp"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace nmib
{

/// 1 to 15 of the letters, digits, '_', '-' and '.' of ASCII, the first one a letter, a digit or '_'. Every such text
/// is an interface name to the kernel (net/core/dev.c, dev_valid_name), and means nothing else in a .link file, in a
/// udev rule, in a path or to a shell.
class PortName
{
public:
    static std::optional<PortName> parse(std::string_view text) noexcept;
    const IfName &ifname() const noexcept { return name_; }
    std::string_view view() const noexcept { return name_.view(); }
    std::string str() const { return name_.str(); }
    friend bool operator==(const PortName &, const PortName &) noexcept = default;
    friend auto operator<=>(const PortName &, const PortName &) noexcept = default;

private:
    explicit PortName(const IfName &name) : name_(name) {}
    IfName name_;
};

/// Why a name is none for a port.
enum class NameFault {
    spelling,    ///< it is no PortName
    only_digits, ///< udev takes no such name (systemd, ifname_valid_full)
    reserved,    ///< "all", "default": directories below /proc/sys/net
    kernel_like, ///< ib<N>: the kernel gives such names itself, and a rename into one fails while it is taken
    child_like,  ///< it ends as a P_Key child's does, '.' and four hexadecimal digits
    too_long,    ///< more than ten characters: kernel and NetworkManager then name P_Key children differently
};
/// The first fault of a name; nothing when it is good.
std::optional<NameFault> fault(std::string_view text) noexcept;
/// A name that is too long works as long as the port has no P_Key children. The others do not.
constexpr bool can_be_forced(NameFault f) noexcept { return f == NameFault::too_long; }
/// One line, beginning with the name.
std::string text(NameFault fault, std::string_view name, Translate translate = untranslated);

} // namespace nmib
