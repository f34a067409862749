// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/fabric/port.hpp"

#include "probe/rtnl.hpp"

namespace nmib::cli
{

std::string port_with(const char *text)
{
    const auto address = HwAddr::parse(text ? text : "");
    auto rtnl = address ? Rtnl::open() : Result<Rtnl>(Error{});
    const auto rows = rtnl ? rtnl->ipoib_links() : Result<std::vector<LinkRow>>(Error{});
    if (rows)
        for (const auto &row : *rows)
            if (row.name && row.infiniband && !row.parent && row.address.guid() == address->guid())
                return row.name->str();
    return {};
}

std::optional<HwAddr> address_of(const std::string &interface)
{
    const auto name = IfName::parse(interface);
    auto rtnl = name ? Rtnl::open() : Result<Rtnl>(Error{});
    const auto row = rtnl ? rtnl->link(*name) : Result<LinkRow>(Error{});
    return row && row->infiniband ? std::optional(row->address) : std::nullopt;
}

} // namespace nmib::cli
