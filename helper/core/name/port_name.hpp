// SPDX-License-Identifier: LGPL-2.1-or-later
/// The name that an administrator gives a port's interface.
#pragma once
#include "core/base/message.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/ib/ifname.hpp"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nmib
{

// A port, and everything that a rule for names can know it by.

/// What udev knows of the interface of a port.
struct PortInterface {
    int ifindex = 0;
    IfName name;
    HwAddr address{};
    bool up = false;
    std::vector<std::string> alternative_names{};
    /// udev's properties of the device, ID_IPOIB_ADDRESS and ID_IPOIB_DEV_PORT among them.
    std::map<std::string, std::string> properties{};
};

struct PortIdentity {
    std::string hca;     ///< RDMA device name, e.g. "mlx4_0" (not stable: rdma-core may rename it)
    unsigned number = 1; ///< of the port, counted from 1
    std::string driver;  ///< of the PCI function, e.g. "mlx4_core"; empty when there is none
    std::string bus;     ///< PCI address, e.g. "0000:05:00.0"; empty when there is none
    Guid guid{};         ///< 0 when the port has none
    std::optional<PortInterface> interface {
    }; ///< none while ib_ipoib is not loaded

    /// "mlx4_0/1"; the GUID of a port that is not there
    std::string label() const { return hca.empty() ? guid.str() : hca + "/" + std::to_string(number); }
    /// The value of a udev property of the interface, or an empty one.
    std::string property(const std::string &key) const
    {
        if (!interface) return {};
        const auto found = interface->properties.find(key);
        return found == interface->properties.end() ? std::string{} : found->second;
    }
};

// By what a .link file of ours knows its port.

/// udev's name of a device's place, e.g. "pci-0000:05:00.0": letters, digits and ".:_-", up to 128 of them. None of
/// these is special in a glob.
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

/// By the port's GUID, the last 8 bytes of the interface's address: the only part that stays.
struct ByGuid {
    Guid guid;
    friend bool operator==(const ByGuid &, const ByGuid &) = default;
};
/// By the place of the HCA and the port's number, for ports without a GUID of their own.
struct ByPath {
    IdPath path;
    unsigned port = 1; ///< counted from 1
    friend bool operator==(const ByPath &, const ByPath &) = default;
};
using PortMatch = std::variant<ByGuid, ByPath>;

/// "GUID 00:02:c9:03:00:0a:00:01", "port 1 at pci-0000:05:00.0"
std::string text(const PortMatch &match);
/// Whether udev would find the port by it.
bool matches(const PortMatch &match, const PortIdentity &port);

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
