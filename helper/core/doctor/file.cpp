// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"
#include "core/name/import.hpp"
#include "core/name/naming_world.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
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
        all.push_back({.kind = find_kind("profile-loses-port"),
                       .severity = Severity::warning,
                       .where = name,
                       .subject = std::move(profiles)});
        CommandLine command{"nm-ib", "name", "set", name, state ? state->name.str() : name};
        if (state) command.push_back("--now");
        all.back().commands = {std::move(command)};
    }
    return all;
}

std::pair<const Kind *, Severity> kind_of(StrayFile::Why why)
{
    using Why = StrayFile::Why;
    switch (why) {
    case Why::permissions: return {find_kind("keyfile-permissions"), Severity::error};
    case Why::broken: return {find_kind("keyfile-broken"), Severity::error};
    case Why::not_loaded: return {find_kind("keyfile-not-loaded"), Severity::warning};
    case Why::ifcfg_type: return {find_kind("ifcfg-without-type"), Severity::error};
    case Why::ifcfg_unread: return {find_kind("ifcfg-unread"), Severity::warning};
    case Why::ifcfg_used: return {find_kind("ifcfg-in-use"), Severity::note};
    case Why::ifupdown2: return {find_kind("ifupdown2-infiniband"), Severity::warning};
    case Why::no_profile: return {find_kind("words-without-profile"), Severity::warning};
    case Why::boot_name: return {find_kind("boot-word-kernel-name"), Severity::note};
    case Why::boot_word: return {find_kind("boot-word-ethernet"), Severity::warning};
    }
    return {};
}
} // namespace

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
        all.push_back({.kind = state.is_fault() ? find_kind("name-does-not-hold") : find_kind("name-at-next-boot"),
                       .severity = state.is_fault() ? Severity::warning : Severity::note,
                       .where = std::string(state.name.view()),
                       .values = {{"state", message(state)}}});
    }
    for (const auto &config : host.naming->configs) {
        const auto name = fragile_name(config);
        const auto &ports = host.naming->ports;
        const auto port = std::find_if(ports.begin(), ports.end(),
                                       [&](const PortIdentity &p) { return name && p.guid == name->guid; });
        if (port == ports.end() || name->name.empty()) continue;
        all.push_back({.kind = find_kind("link-file-by-address"),
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
