// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/profiles.hpp"

#include "core/base/text.hpp"
#include "nm/profile.hpp"
#include "terminal/process.hpp"
#include "verbs/host/rails_profile.hpp"
#include "verbs/plan/machine.hpp"

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

/// Reads NetworkManager's log once, and only for a profile that should be active and is not.
class FailureLog
{
public:
    /// Returns NetworkManager's reason if the last activation of the profile on the interface failed in this boot:
    /// "ip-config-unavailable". Empty: it did not fail, was ended by a user since, or another profile was tried last.
    std::string reason(const std::string &interface, const std::string &profile)
    {
        if (!lines_) {
            const auto run =
                run_for({"/usr/bin/journalctl", "-b", "-u", "NetworkManager", "-o", "cat", "-q", "--no-pager", "-g",
                         "state change: .* -> (failed|activated|deactivating) |Activation: failed for"},
                        10);
            lines_ = run && run->code == 0 ? cut(run->out, "\n") : Words{};
        }
        std::string reason, last;
        for (const auto &line : *lines_) {
            if (line.find("(" + interface + "): ") == line.npos) continue;
            constexpr std::string_view failed = "-> failed (reason '";
            if (const auto at = line.find(failed); at != line.npos) {
                const auto rest = line.substr(at + failed.size());
                reason = rest.substr(0, rest.find('\'')), last.clear();
            } else if (line.find("Activation: failed for connection '" + profile + "'") != line.npos) {
                last = reason;
            } else {
                last.clear();
            }
        }
        return last;
    }

private:
    std::optional<Words> lines_{};
};

std::string ipv4_method(NMConnection *c)
{
    auto *ip = nm_connection_get_setting_ip4_config(c);
    return str(ip ? nm_setting_ip_config_get_method(ip) : nullptr);
}

void add_failure(NMConnection *c, const Inventory &all, FailureLog &log, ProfileState &state)
{
    const auto *netdev = find_netdev(all, state.interface);
    const auto *device = netdev ? all.state_of(*netdev) : nullptr;
    const bool is_missing_child = state.p_key && netdev && !netdev->parent; // the interface is its parent
    if (!device || is_missing_child || !state.autoconnect || device->number >= NM_DEVICE_STATE_PREPARE) return;
    state.failure = log.reason(state.interface, state.id);
    if (!netdev->address || ipv4_method(c) != NM_SETTING_IP4_CONFIG_METHOD_AUTO ||
        (state.failure != "ip-config-unavailable" && state.failure != "dhcp-failed" && state.failure != "dhcp-error"))
        return;
    const auto guid = netdev->address->guid().bytes(); // "00:02:c9:03:00:0a:00:01"
    state.client_id = netdev->address->dhcp_client_id();
    state.six_bytes = guid.substr(0, 9) + guid.substr(15); // without the two bytes in the middle, as many tools do
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
    FailureLog log;
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
        const auto address = HwAddr::parse(ib ? str(nm_setting_infiniband_get_mac_address(ib)) : "");
        state.by_name = !address && (interface_of(c) || (ib && nm_setting_infiniband_get_parent(ib)));
        state.autoconnect = s && nm_setting_connection_get_autoconnect(s);
        const auto addresses = rail_addresses(c);
        for (const auto &a : addresses ? *addresses : std::vector<RailAddress>()) state.networks.insert(a.network());
        const auto bond = bond_of(c, bonds);
        state.bond_mode = bond.mode, state.bond_uuid = bond.uuid;
        state.vfs = vfs_of(c);
        const auto words = state.target == Target::rdma_ethernet ? rdma_words_of(c) : Result<RdmaWordsRead>(Error{});
        if (words && !words->words.skip && words->words.roce_mode != RoceMode::v1 && !is_private_profile(c))
            state.roce_tos = words->words.roce_tos;
        const auto carried = carried_by(c);
        if (carried && !ib && target_of(carried->interface, all) == Target::ipoib)
            state.interface = carried->interface, state.target = Target::ipoib, state.type = Type::other;
        const bool is_ours = state.target == Target::ipoib || state.target == Target::rdma_ethernet;
        if (!ib && !is_ours) continue;
        if (ib && nm_setting_infiniband_get_p_key(ib) >= 0)
            state.p_key = static_cast<std::uint16_t>(nm_setting_infiniband_get_p_key(ib));
        if ((ib || carried) && machine && state.target == Target::ipoib) forecast(*machine, c, state);
        if (ib) add_failure(c, all, log, state);
        states.push_back(std::move(state));
    }
    return states;
}

} // namespace nmib::cli
