// SPDX-License-Identifier: LGPL-2.1-or-later
/// Short constructors of the values in tests of names.
#pragma once
#include "core/name/naming_world.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace nmib::test
{

inline PortName port_name(std::string_view text) { return PortName::parse(text).value(); }
inline Guid guid(std::string_view text) { return Guid::parse(text).value(); }
inline HwAddr hw_addr(std::string_view text) { return HwAddr::parse(text).value(); }
inline IdPath id_path(std::string_view text) { return IdPath::parse(text).value(); }

inline const std::string first_guid = "00:02:c9:03:00:0a:00:01";
inline const std::string first_address = "80:00:02:08:fe:80:00:00:00:00:00:00:" + first_guid;

/// mlx4_0/1 at 0000:05:00.0 with all udev properties; its interface has this name.
inline PortIdentity port(std::string_view interface = "ib0", unsigned number = 1)
{
    PortIdentity p{{.hca = "mlx4_0", .bus = "0000:05:00.0", .number = number, .driver = "mlx4_core"}, {}};
    p.guid = Guid{guid(first_guid).value + number - 1};
    PortInterface i{.ifindex = static_cast<int>(3 + number), .name = IfName::parse(interface).value()};
    i.address = hw_addr(first_address.substr(0, 36) + p.guid.bytes());
    i.properties = {{"ID_PATH", "pci-0000:05:00.0"},
                    {"ID_NET_DRIVER", "ib_ipoib"},
                    {"ID_IPOIB_ADDRESS", i.address.str()},
                    {"ID_IPOIB_DEV_PORT", std::to_string(number - 1)}};
    p.interface = std::move(i);
    return p;
}

/// A file in the form of read_link_configs(); no entries if udev refuses the file.
inline LinkConfig config(std::string file, std::string text)
{
    LinkConfig c{.file = file, .path = "/etc/systemd/network/" + file, .text = std::move(text)};
    c.entries = parse_link_config(c.text).value_or(std::vector<LinkConfig::Entry>{});
    return c;
}

inline LinkConfig config(const LinkFile &file) { return config(file_name(file.name), text(file)); }

} // namespace nmib::test
