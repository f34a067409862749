// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/profile.hpp"
#include "cli/connection/rdma_words.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/plan/machine.hpp"

#include <net/if.h>

namespace nmib::cli
{

namespace
{
using Type = ProfileState::Type;
using Target = ProfileState::Target;

const PortNetdev *find_netdev(const Inventory &all, const std::string &name)
{
    const PortNetdev *found = nullptr;
    each_interface(all, [&](const RdmaPort &, const PortNetdev &n) {
        if (n.name.str() == name) found = &n;
    });
    return found;
}

std::string interface_with(const HwAddr &address, const Inventory &all)
{
    std::string name;
    each_interface(all, [&](const RdmaPort &port, const PortNetdev &n) {
        if (name.empty() && port.guid && *port.guid == address.guid()) name = n.name.str();
    });
    return name;
}

/// Returns the profile's interface if it exists, otherwise its parent; empty: the profile is for any interface.
std::string interface_for(NMConnection *c, NMSettingInfiniband *ib, const Inventory &all)
{
    const auto own = interface_of(c);
    if (own && (!ib || find_netdev(all, own->str()))) return own->str();
    const auto *parent = ib ? nm_setting_infiniband_get_parent(ib) : nullptr;
    if (parent) return parent;
    if (own) return own->str();
    const auto address = HwAddr::parse(ib ? str(nm_setting_infiniband_get_mac_address(ib)) : "");
    return address ? interface_with(*address, all) : "";
}

Target target_of(const std::string &interface, const Inventory &all)
{
    if (interface.empty()) return Target::other;
    if (const auto *n = find_netdev(all, interface)) return n->infiniband ? Target::ipoib : Target::rdma_ethernet;
    return ::if_nametoindex(interface.c_str()) == 0 ? Target::none : Target::other;
}

Type type_of(NMConnection *c)
{
    const auto type = str(nm_connection_get_connection_type(c));
    if (type == NM_SETTING_INFINIBAND_SETTING_NAME) return Type::infiniband;
    if (type == NM_SETTING_WIRED_SETTING_NAME) return Type::ethernet;
    return type == NM_SETTING_BOND_SETTING_NAME ? Type::bond : Type::other;
}

unsigned vfs_of(NMConnection *c)
{
    auto *s = nm_connection_get_setting(c, NM_TYPE_SETTING_SRIOV);
    return s ? nm_setting_sriov_get_total_vfs(NM_SETTING_SRIOV(s)) : 0;
}

struct Bond {
    std::string mode{}, uuid{};
};
/// By each name that a port may use for its bond: UUID, interface name, profile name.
using Bonds = std::map<std::string, Bond>;

void note_bond(NMConnection *c, Bonds &bonds)
{
    auto *bond = nm_connection_get_setting_bond(c);
    if (!bond) return;
    const auto mode = str(nm_setting_bond_get_option_by_name(bond, NM_SETTING_BOND_OPTION_MODE));
    for (const auto *name : {nm_connection_get_uuid(c), nm_connection_get_interface_name(c), nm_connection_get_id(c)})
        if (name)
            bonds[name] = {mode.empty() ? "balance-rr" : mode, str(nm_connection_get_uuid(c))}; // the kernel's default
}

Bond bond_of(NMConnection *c, const Bonds &bonds)
{
    auto *s = nm_connection_get_setting_connection(c);
    if (!s || str(nm_setting_connection_get_slave_type(s)) != NM_SETTING_BOND_SETTING_NAME) return {};
    const auto found = bonds.find(str(nm_setting_connection_get_master(s)));
    return found == bonds.end() ? Bond{} : found->second;
}

void forecast(Machine &machine, NMConnection *c, ProfileState &state)
{
    auto f = machine.forecast(c);
    if (!f) return;
    state.findings = std::move(f->plan.findings);
    if (f->refusal) state.findings.push_back(std::move(*f->refusal));
}
} // namespace

std::vector<ProfileState> look_at_profiles(const Daemon &daemon, const Inventory &all)
{
    std::vector<Object<NMConnection>> profiles;
    Words places;
    Bonds bonds;
    const auto paths = daemon.profile_paths();
    if (!paths) return {};
    daemon.each_profile_at(*paths, [&](const std::string &path, const Result<Object<NMConnection>> &profile) {
        if (!profile) return;
        note_bond(profile->get(), bonds);
        profiles.push_back(copy_of(profile->get()));
        places.push_back(path);
    });
    auto machine = Machine::open();
    const auto files = daemon.ask_files(places);
    std::vector<ProfileState> states;
    for (std::size_t i = 0; i < profiles.size(); i++) {
        auto *c = profiles[i].get();
        auto *ib = nm_connection_get_setting_infiniband(c);
        auto *s = nm_connection_get_setting_connection(c);
        ProfileState state{.id = str(nm_connection_get_id(c)),
                           .uuid = str(nm_connection_get_uuid(c)),
                           .file = files[i],
                           .type = type_of(c)};
        state.interface = interface_for(c, ib, all);
        state.target = target_of(state.interface, all);
        state.autoconnect = s && nm_setting_connection_get_autoconnect(s);
        const auto bond = bond_of(c, bonds);
        state.bond_mode = bond.mode, state.bond_uuid = bond.uuid;
        state.vfs = vfs_of(c);
        const bool is_ours = state.target == Target::ipoib || state.target == Target::rdma_ethernet;
        if (!ib && !is_ours) continue;
        if (ib && nm_setting_infiniband_get_p_key(ib) >= 0)
            state.p_key = static_cast<std::uint16_t>(nm_setting_infiniband_get_p_key(ib));
        if (ib && machine && state.target == Target::ipoib) forecast(*machine, c, state);
        states.push_back(std::move(state));
    }
    return states;
}

} // namespace nmib::cli
