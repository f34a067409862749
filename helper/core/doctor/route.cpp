// SPDX-License-Identifier: LGPL-2.1-or-later
// IPv4 subnets that several InfiniBand interfaces share.
#include "core/doctor/diagnose.hpp"

#include <algorithm>
#include <map>

namespace nmib::layer
{

std::vector<Trouble> route(const Host &host)
{
    struct Interface {
        bool is_rail = true;                   ///< for all its addresses
        const ProfileState *profile = nullptr; ///< the active one
    };
    std::map<std::string, const ProfileState *> profiles; // by UUID
    for (const auto &p : host.profiles) profiles[p.uuid] = &p;
    std::map<std::string, std::map<std::string, Interface>> networks; // by network and name
    for (const auto &n : host.networks) {
        auto &interface = networks[n.network][n.interface];
        interface.is_rail = interface.is_rail && n.is_rail;
        if (const auto found = profiles.find(n.uuid); found != profiles.end()) interface.profile = found->second;
    }
    std::vector<Trouble> all;
    for (const auto &[network, interfaces] : networks) {
        const bool is_right =
            std::all_of(interfaces.begin(), interfaces.end(), [](const auto &i) { return i.second.is_rail; });
        if (interfaces.size() < 2 || is_right) continue;
        Trouble t{.kind = find_kind("same-subnet"),
                  .severity = Severity::warning,
                  .where = interfaces.begin()->first,
                  .value = network};
        CommandLine command{"nm-ib", "host", "rails"};
        bool is_mendable = true; // `host rails` changes the profiles of the addresses
        for (const auto &[name, interface] : interfaces) {
            command.push_back(name);
            if (name != t.where) t.subject += (t.subject.empty() ? "" : ", ") + name;
            const auto *p = interface.profile;
            is_mendable = is_mendable && p && p->networks.contains(network) && !generator_of(p->file);
        }
        t.commands.emplace();
        if (is_mendable) t.commands->push_back(command);
        all.push_back(std::move(t));
    }
    return all;
}

} // namespace nmib::layer
