// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/proposal.hpp"

#include "core/ib/child_name.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
/// "mlx5" of mlx5_core or, without a driver, of mlx5_0; "ib" where even that says nothing.
std::string family(const PortIdentity &port)
{
    const auto &from = port.driver.empty() ? port.hca : port.driver;
    const auto text = from.substr(0, from.find_first_of("_-."));
    return PortName::parse(text) ? text : "ib";
}

bool is_used(const NamingWorld &world, const PortIdentity &port, const PortName &name)
{
    const auto all = conflicts(world, port, name);
    return std::any_of(all.begin(), all.end(), [](const Conflict &c) {
        using enum Conflict::Code;
        return c.code == interface_name || c.code == alternative_name || c.code == own_file || c.code == other_file;
    });
}

std::optional<PortName> name(const std::string &family, unsigned number)
{
    const auto end = "_ib" + std::to_string(number);
    return PortName::parse(family.substr(0, parent_name_limit - std::min(end.size(), parent_name_limit)) + end);
}
} // namespace

std::vector<Proposal> propose_names(const NamingWorld &world, std::span<const std::string> taken)
{
    std::vector<Proposal> all;
    std::map<std::string, unsigned> next;
    for (const auto &port : world.ports) {
        if (world.own_file(port)) continue;
        const auto stem = family(port);
        for (auto &number = next[stem]; number < 1000;) {
            const auto candidate = name(stem, number++);
            if (!candidate || is_used(world, port, *candidate)) continue;
            if (std::find(taken.begin(), taken.end(), candidate->view()) != taken.end()) continue;
            all.push_back({&port, *candidate});
            break;
        }
    }
    return all;
}

} // namespace nmib
