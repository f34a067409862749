// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/connection/port.hpp"

namespace nmib::cli
{

std::optional<IfName> port_with(Rtnl &rtnl, const HwAddr &address)
{
    const auto rows = rtnl.ipoib_links();
    if (!rows) return std::nullopt;
    for (const auto &row : *rows)
        if (row.name && row.infiniband && !row.parent && row.address.guid() == address.guid()) return row.name;
    return std::nullopt;
}

std::optional<HwAddr> address_of(const std::string &interface)
{
    const auto name = IfName::parse(interface);
    auto rtnl = name ? Rtnl::open() : Result<Rtnl>(Error{});
    const auto row = rtnl ? rtnl->link(*name) : Result<LinkRow>(Error{});
    return row && row->infiniband ? std::optional(row->address) : std::nullopt;
}

} // namespace nmib::cli
