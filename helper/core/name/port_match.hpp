// SPDX-License-Identifier: LGPL-2.1-or-later
/// By what a .link file of ours knows its port.
#pragma once
#include "core/name/port_identity.hpp"

#include <variant>

namespace nmib
{

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

} // namespace nmib
