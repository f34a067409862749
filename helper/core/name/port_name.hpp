// SPDX-License-Identifier: LGPL-2.1-or-later
/// The name that an administrator gives to a port's interface.
#pragma once
#include "core/base/message.hpp"
#include "core/ib/rdma_device.hpp"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nmib
{

/// udev's view of a port's interface.
struct PortInterface {
    int ifindex = 0;
    IfName name;
    HwAddr address{};
    bool up = false;
    std::vector<std::string> alternative_names{};
    /// udev's properties, including ID_IPOIB_ADDRESS and ID_IPOIB_DEV_PORT.
    std::map<std::string, std::string> properties{};
};

/// A port as udev identifies it.
struct PortIdentity : PortPlace {
    std::optional<PortInterface> interface {
    }; ///< unset while ib_ipoib is not loaded

    /// The interface's udev property; empty if there is none.
    std::string property(const std::string &key) const
    {
        if (!interface) return {};
        const auto found = interface->properties.find(key);
        return found == interface->properties.end() ? std::string{} : found->second;
    }
};

/// udev's ID_PATH, e.g. "pci-0000:05:00.0": 1 to 128 letters, digits and ".:_-", none of them special in a glob.
class IdPath
{
public:
    static std::optional<IdPath> parse(std::string_view text);
    const std::string &str() const noexcept { return text_; }
    friend bool operator==(const IdPath &, const IdPath &) = default;

private:
    explicit IdPath(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

/// The port's GUID: the last 8 bytes of the interface's address, the only stable part.
struct ByGuid {
    Guid guid;
    friend bool operator==(const ByGuid &, const ByGuid &) = default;
};
/// The HCA's path and the port number, for ports without a GUID of their own.
struct ByPath {
    IdPath path;
    unsigned port = 1; ///< counted from 1
    friend bool operator==(const ByPath &, const ByPath &) = default;
};
using PortMatch = std::variant<ByGuid, ByPath>;

/// Returns "GUID 0002:c903:000a:0001" or "port 1 at pci-0000:05:00.0".
std::string text(const PortMatch &match);
/// Returns true if udev finds the port by this match.
bool matches(const PortMatch &match, const PortIdentity &port);

/// 1 to 15 ASCII letters, digits, '_', '-' and '.'; the first is a letter, a digit or '_'. A valid interface name
/// (net/core/dev.c, dev_valid_name) without special meaning in a .link file, a udev rule, a path or a shell.
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

enum class NameFault {
    spelling,    ///< not a PortName
    only_digits, ///< refused by udev (systemd, ifname_valid_full)
    reserved,    ///< "all", "default": directories in /proc/sys/net
    kernel_like, ///< ib<N>: the kernel assigns such names, and a rename to a taken one fails
    child_like,  ///< ends like a P_Key child's: '.' and four hexadecimal digits
    too_long,    ///< more than 10 characters: kernel and NetworkManager name P_Key children differently
};
/// The first fault of a name; nullopt if there is none.
std::optional<NameFault> fault(std::string_view text) noexcept;
/// Too long a name works for a port without P_Key children. The other faults never work.
constexpr bool can_be_forced(NameFault f) noexcept { return f == NameFault::too_long; }
/// One line that begins with the name.
std::string text(NameFault fault, std::string_view name, Translate translate = untranslated);

} // namespace nmib
