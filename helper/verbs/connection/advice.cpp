// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/connection/advice.hpp"

#include "core/base/text.hpp"
#include "core/ib/hwaddr.hpp"
#include "core/ib/ifname.hpp"
#include "core/name/naming_world.hpp"
#include "nm/profile.hpp"
#include "verbs/connection/follow.hpp"
#include "verbs/name/name_files.hpp"
#include "verbs/plan/machine.hpp"

#include <algorithm>
#include <net/if.h>

namespace nmib::cli
{

namespace
{
bool digits(const std::string &text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Without "0x", "8002" is 0x1f42 and "010" is 8: users rarely mean that.
std::optional<std::string> on_spelling(const std::string &typed, unsigned key)
{
    const auto word = std::string(trim(typed));
    if (!digits(word)) return std::nullopt;
    const auto hex = parse_hex(word, 0xffff);
    if (!hex || *hex == key) return std::nullopt;
    const auto meant = static_cast<unsigned>(*hex);
    return word.starts_with('0')
               ? form("p-key {} is octal, P_Key 0x{:04x}; for P_Key 0x{:04x}, add 0x", word, key, meant)
               : form("p-key {} is decimal, P_Key 0x{:04x}; for P_Key 0x{:04x}, add 0x", word, key, meant);
}

std::optional<std::string> on_membership(NMSettingInfiniband *ib, unsigned key)
{
    if (key & 0x8000) return std::nullopt;
    const auto *name = nm_setting_infiniband_get_parent(ib);
    const auto parent = name ? IfName::parse(name) : std::nullopt;
    const auto child = parent ? kernel_child_name(*parent, static_cast<std::uint16_t>(key)) : std::nullopt;
    auto line = form("P_Key 0x{:04x} has no full-membership bit: the kernel makes {} with P_Key 0x{:04x}, and "
                     "NetworkManager alone leaves the interface after deactivation",
                     key, child ? child->c_str() : _("an interface"), key | 0x8000);
    if (key != 0x7fff) line += form("; use 0x{:04x} instead", key | 0x8000); // 0xffff is the parent's own
    return line;
}

/// NetworkManager checks a bond's mode only if bond and InfiniBand are in one profile. If the bond's interface has
/// several profiles, one with the right mode is enough.
std::optional<std::string> on_bond(const Draft &draft, const Profiles *profiles)
{
    const auto *master = nm_setting_connection_get_master(draft.base());
    if (!master || str(nm_setting_connection_get_slave_type(draft.base())) != "bond" || !profiles) return std::nullopt;
    std::optional<std::string> line;
    for (const auto &k : profiles->all()) {
        if (k.type != "bond" || (k.uuid != master && k.interface != master)) continue;
        const auto path = profiles->daemon().path_of(k.uuid);
        const auto bond = path ? profiles->daemon().profile(*path) : Result<Object<NMConnection>>(path.error());
        auto *options = bond ? nm_connection_get_setting_bond(bond->get()) : nullptr;
        const auto mode = options ? str(nm_setting_bond_get_option_by_name(options, "mode")) : "";
        if (mode == "active-backup" || mode == "1") return std::nullopt;
        if (options && !line)
            line = form("bond '{}' has mode {}: InfiniBand ports work in active-backup bonds only", printable(k.id),
                        mode.empty() ? "balance-rr" : printable(mode));
    }
    return line;
}

/// NetworkManager ignores alternative names, and names that apply from the next boot on.
void on_name(const char *typed, Words &lines)
{
    const auto world = typed ? read_naming_world() : Result<NamingWorld>(Error{});
    if (!world) return;
    const auto states = name_states(*world);
    for (const auto &port : world->ports) {
        if (!port.interface) continue;
        const auto name = port.interface->name.str();
        const auto &others = port.interface->alternative_names;
        const auto *state = find_state(states, port);
        if (std::find(others.begin(), others.end(), typed) != others.end())
            lines.push_back(form(
                "{} is only an alternative name of {}: NetworkManager does not find the port by an alternative name",
                printable(typed), printable(name)));
        else if (name == typed && state && state->code == NameState::Code::next_boot)
            lines.push_back(form("{} will be called {} at the next boot, and the profile will not find the port; to "
                                 "rename both now: nm-ib name set {} {} --now",
                                 name, state->name.str(), name, state->name.str()));
    }
}

/// Returns true if the profile's interface or the parent of the interface may exist.
bool may_be_here(NMConnection *connection)
{
    const auto interface = interface_of(connection);
    if (interface && if_nametoindex(interface->c_str()) != 0) return true;
    auto *ib = nm_connection_get_setting_infiniband(connection);
    if (!ib) return false;
    const auto *parent = nm_setting_infiniband_get_parent(ib);
    return interface ? parent && if_nametoindex(parent) != 0 : nm_setting_infiniband_get_mac_address(ib) != nullptr;
}

void on_machine(NMConnection *connection, Advice &advice)
{
    if (!may_be_here(connection)) return; // probably a profile of another machine
    auto machine = Machine::open();
    if (!machine) return;
    const auto f = machine->forecast(connection);
    if (!f) return;
    if (f->refusal) advice.warnings.push_back(text(*f->refusal, translate));
    for (const auto &finding : f->plan.findings) {
        const bool later = f->imagined && finding.kind == find_kind("mtu-unknown");
        const bool is_warned = finding.kind == find_kind("pkey-membership-added"); // on_membership() warns
        if (!later && !is_warned && finding.severity != Severity::note)
            advice.warnings.push_back(text(finding, translate));
    }
    for (const auto &change : f->plan.changes)
        if (std::holds_alternative<SetFeature>(change))
            advice.notes.push_back(std::string(f->link.view()) + ": " + future(change, machine->policy()));
}

/// Warns of P_Key, parent and names that NetworkManager accepts but does not use as requested. `connection`: the
/// normalised draft.
Words on_parts(const Draft &draft, NMConnection *connection)
{
    auto *ib = nm_connection_get_setting_infiniband(connection);
    if (!ib) return {};
    Words lines;
    const int key = nm_setting_infiniband_get_p_key(ib);
    const auto *parent = nm_setting_infiniband_get_parent(ib);
    const auto *interface = nm_connection_get_interface_name(connection);
    const auto *typed = draft.typed.find(Property::interface_name);
    if (key >= 0 && interface && typed && !typed->empty() && *typed != "*" && *typed != interface)
        lines.push_back(form("interface-name {} does not match P_Key 0x{:04x}: NetworkManager uses {} instead",
                             printable(*typed), key, printable(interface)));
    if (key >= 0 && !parent && nm_setting_infiniband_get_mac_address(ib))
        lines.push_back(
            form("P_Key 0x{:04x} with a mac-address and no parent: NetworkManager activates the profile on the port "
                 "itself, in the port's own partition; set infiniband.parent instead of the mac-address",
                 key));
    if (key < 0 && parent)
        lines.push_back(form("parent {} has no effect without a p-key, and NetworkManager 1.54 and later refuse the "
                             "parent; unset infiniband.parent too",
                             printable(parent)));
    if (key < 0 && interface && is_child_name(interface))
        lines.push_back(form("interface-name {} exists only for a profile with a p-key; set connection.interface-name "
                             "to the name of the port",
                             printable(interface)));
    return lines;
}

Words on_key(const Draft &draft)
{
    Words lines;
    auto *ib = draft.infiniband();
    const auto *typed = draft.typed.find(Property::p_key);
    const int key = ib ? nm_setting_infiniband_get_p_key(ib) : -1;
    if (!typed || key < 0) return lines;
    if (auto line = on_spelling(*typed, static_cast<unsigned>(key))) lines.push_back(*line);
    if (auto line = on_membership(ib, static_cast<unsigned>(key))) lines.push_back(*line);
    return lines;
}
} // namespace

Advice advise(const Draft &draft, const Profiles *profiles, const Options &options)
{
    if (!draft.infiniband()) return {};
    const auto connection = normalized(draft.connection.get());
    if (!connection) return {}; // NetworkManager will refuse the profile
    Advice advice{.warnings = on_key(draft)};
    auto &lines = advice.warnings;
    if (auto line = on_bond(draft, profiles)) lines.push_back(*line);
    if (profiles && draft.typed.has(Property::interface_name)) on_name(draft.interface_name(), lines);
    if (profiles && draft.typed.has(Property::parent))
        on_name(nm_setting_infiniband_get_parent(draft.infiniband()), lines);
    on_machine(connection->get(), advice);
    for (auto &line : on_parts(draft, connection->get())) lines.push_back(std::move(line));
    const bool given = draft.typed.has(Property::parent) || draft.typed.has(Property::p_key);
    if (profiles && given && !options.with_parent && !has_parent_profile(draft, *profiles))
        lines.push_back(form("no profile activates the parent {}; to add a profile, use --with-parent",
                             printable(nm_setting_infiniband_get_parent(draft.infiniband()))));
    return advice;
}

Status print_advice(const Advice &advice, bool strict)
{
    for (const auto &line : advice.notes) note(line);
    for (const auto &line : advice.warnings) note(strict ? line : form("warning: {}", line));
    if (!strict || advice.warnings.empty()) return {};
    return Failure{exit_failed, _("nm-ib: error: nothing was saved: --strict refuses warnings")};
}

} // namespace nmib::cli
