// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"
#include "core/name/import.hpp"
#include "core/name/naming_world.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
using Severity = Trouble::Severity;
constexpr Trouble::Kind kinds[] = {
    {"keyfile-permissions", N_("{where} cannot be loaded: not owned by root, or readable by other users"),
     N_("A profile can hold secrets: NetworkManager reads only files that root alone can read."), Trouble::By::fix, "",
     "chown root:root {where}\nchmod 600 {where}\nnmcli connection load {where}"},
    {"keyfile-broken", N_("{where} cannot be loaded: {value}"),
     N_("NetworkManager ignores a file that it cannot parse, and reports this in its log only."), Trouble::By::hands,
     N_("Correct the line; then"), "nmcli connection load {where}", Trouble::Kind::Of::form},
    {"keyfile-not-loaded", N_("{where} is not loaded"),
     N_("NetworkManager does not read a file that was written by hand until a command loads the file."),
     Trouble::By::fix, "", "nmcli connection load {where}"},
    {"ifcfg-without-type", N_("{where} is for an InfiniBand interface, and has no TYPE=InfiniBand"),
     N_("NetworkManager takes the file for an Ethernet profile: the address of 20 bytes does not "
        "match, and ifup reports 'mismatching interface name'."),
     Trouble::By::hands, N_("Add TYPE=InfiniBand, drop NM_CONTROLLED=no; then"), "nmcli connection load {where}"},
    {"ifcfg-unread", N_("{where} is for an InfiniBand interface, and NetworkManager has no profile of it"),
     N_("Newer releases do not read ifcfg files (EL 10 and Debian not at all): scripts that write "
        "such files change nothing. Other releases refuse a file with an error."),
     Trouble::By::hands,
     N_("Correct what the log names; or add a profile (nm-ib connection add type infiniband) and delete the file"),
     "journalctl -u NetworkManager -g ifcfg"},
    {"ifcfg-in-use", N_("NetworkManager has InfiniBand profiles in {where}"),
     N_("EL 10 and Fedora read keyfiles only."), Trouble::By::command, "", "nmcli connection migrate"},
    {"ifupdown2-infiniband", N_("{where} has the InfiniBand interface {value}, and ifupdown2 is installed"),
     N_("ifupdown2 does not support addresses of 20 bytes: where ifupdown2 checks addresses, no "
        "interface of the file comes up."),
     Trouble::By::hands, N_("To let NetworkManager activate the interface, remove {value} from {where}; then"),
     "nm-ib connection add type infiniband ifname {value}"},
    {"words-without-profile", N_("{where} has rdma.* words, and no profile has this UUID"),
     N_("The words stay without the profile, and would apply to a new profile with the same UUID."),
     Trouble::By::command, "", "rm {where}"},
    {"boot-word-ethernet", N_("{where} names {value} by an address of 6 bytes"),
     N_("An InfiniBand address has 20 bytes: the initramfs refuses the word, or the name matches no interface."),
     Trouble::By::hands,
     N_("Remove the word from the command line. nm-ib name gives names in the initramfs too. To see its proposals"),
     "nm-ib name propose --dry-run"},
    {"boot-word-kernel-name",
     N_("{where} names {value}, a name that depends on the order in which the kernel finds the ports"),
     N_("With several ports, the next boot may give the name to another port, and the initramfs sets up the wrong "
        "one."),
     Trouble::By::hands,
     N_("Name the port in the initramfs too (nm-ib name), and use this name on the command line. The proposals"),
     "nm-ib name propose --dry-run"},
    {"name-does-not-hold", N_("{value}"),
     N_("At the next boot the interface gets another name, and profiles do not find the interface."),
     Trouble::By::hands, N_("To see what prevents each name"), "nm-ib name check"},
    {"name-at-next-boot", N_("{value}"),
     N_("Before the reboot, profiles and programs that use the new name do not find the port or device; after the "
        "reboot, those that use the old name."),
     Trouble::By::hands, N_("Reboot. To see all names"), "nm-ib name check"},
    {"profile-loses-port",
     N_("at the next boot {where} has another name, and profiles are bound to the present name: {subject}"),
     N_("These profiles do not find the port, and the interface stays down."), Trouble::By::command, ""},
    {"link-file-by-address", N_("{where} ties the name {value} to the hardware address of {subject}"),
     N_("The first 12 of the 20 bytes change, for instance when the driver is loaded again. Then "
        "the file does not match, and the name is lost."),
     Trouble::By::command, N_("Tie the name to the GUID; nm-ib name import lists what would be lost with the file"),
     "nm-ib name import --yes"},
};

/// The profiles of an interface and of its P_Key children.
std::string profiles_for(const Host &host, const std::string &interface)
{
    std::string names;
    for (const auto &p : host.profiles)
        if (p.interface == interface || p.interface.starts_with(interface + "."))
            names += (names.empty() ? "" : ", ") + p.id;
    return names;
}

/// Reports ports whose profiles are bound to a name that is lost at the next boot.
std::vector<Trouble> lost_ports(const Host &host, std::span<const NameState> states)
{
    std::vector<Trouble> all;
    for (const auto &port : host.naming->ports) {
        const auto *state = find_state(states, port);
        const bool is_kept = state ? state->code != NameState::Code::next_boot : keeps_name(*host.naming, port);
        const auto name = port.interface ? port.interface->name.str() : "";
        auto profiles = is_kept ? "" : profiles_for(host, name);
        if (profiles.empty()) continue;
        all.push_back({.kind = find_kind(kinds, "profile-loses-port"),
                       .severity = Severity::warning,
                       .where = name,
                       .subject = std::move(profiles)});
        CommandLine command{"nm-ib", "name", "set", name, state ? state->name.str() : name};
        if (state) command.push_back("--now");
        all.back().commands = {std::move(command)};
    }
    return all;
}

std::pair<const Trouble::Kind *, Severity> kind_of(StrayFile::Why why)
{
    using Why = StrayFile::Why;
    switch (why) {
    case Why::permissions: return {find_kind(kinds, "keyfile-permissions"), Severity::error};
    case Why::broken: return {find_kind(kinds, "keyfile-broken"), Severity::error};
    case Why::not_loaded: return {find_kind(kinds, "keyfile-not-loaded"), Severity::warning};
    case Why::ifcfg_type: return {find_kind(kinds, "ifcfg-without-type"), Severity::error};
    case Why::ifcfg_unread: return {find_kind(kinds, "ifcfg-unread"), Severity::warning};
    case Why::ifcfg_used: return {find_kind(kinds, "ifcfg-in-use"), Severity::note};
    case Why::ifupdown2: return {find_kind(kinds, "ifupdown2-infiniband"), Severity::warning};
    case Why::no_profile: return {find_kind(kinds, "words-without-profile"), Severity::warning};
    case Why::boot_name: return {find_kind(kinds, "boot-word-kernel-name"), Severity::note};
    case Why::boot_word: return {find_kind(kinds, "boot-word-ethernet"), Severity::warning};
    }
    return {};
}
} // namespace

const std::span<const Trouble::Kind> file_kinds = kinds;

std::vector<Trouble> file(const Host &host)
{
    std::vector<Trouble> all;
    for (const auto &f : host.files) {
        const auto [kind, severity] = kind_of(f.why);
        all.push_back({.kind = kind, .severity = severity, .where = f.path, .value = f.detail});
        all.back().generator = generator_of(f.path);
    }
    if (!host.naming || host.named) return all;
    auto states = name_states(*host.naming);
    for (auto &trouble : lost_ports(host, states)) all.push_back(std::move(trouble));
    for (auto &state : rdma_name_states(*host.naming)) states.push_back(std::move(state));
    for (const auto &state : states) {
        using Code = NameState::Code; // another layer reports a missing interface
        if (state.holds() || state.code == Code::no_interface) continue;
        const auto is_reported = [&](const Trouble &t) {
            return state.port && t.where == state.port->interface->name.view();
        };
        if (state.code == Code::next_boot && std::any_of(all.begin(), all.end(), is_reported)) continue;
        all.push_back(
            {.kind = state.is_fault() ? find_kind(kinds, "name-does-not-hold") : find_kind(kinds, "name-at-next-boot"),
             .severity = state.is_fault() ? Severity::warning : Severity::note,
             .where = std::string(state.name.view()),
             .sentence = [world = host.naming, state](Translate translate) { return text(state, translate); }});
    }
    for (const auto &config : host.naming->configs) {
        const auto name = fragile_name(config);
        const auto &ports = host.naming->ports;
        const auto port = std::find_if(ports.begin(), ports.end(),
                                       [&](const PortIdentity &p) { return name && p.guid == name->guid; });
        if (port == ports.end() || name->name.empty()) continue;
        all.push_back({.kind = find_kind(kinds, "link-file-by-address"),
                       .severity = Severity::warning,
                       .where = config.path,
                       .subject = port->label(),
                       .value = name->name});
        if (name->loss != FragileName::Loss::none || !config.path.starts_with("/etc/")) // not imported
            all.back().commands.emplace();
    }
    return all;
}

} // namespace nmib::layer
