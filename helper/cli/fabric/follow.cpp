// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/fabric/advice.hpp"

#include "cli/base/profile.hpp"
#include "core/naming.hpp"
#include "core/printable.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
bool given(const Draft &draft, const char *property) { return draft.typed.contains(property); }

/// "ib0.8002": the kernel's and NetworkManager's way to name a child.
bool is_child_name(std::string_view name)
{
    const auto dot = name.rfind('.');
    return dot != std::string_view::npos && name.size() - dot == 5 &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                       [](char c) { return g_ascii_isxdigit(c); });
}

/// Is it what NetworkManager calls the child with this key?
bool is_name_of(std::string_view name, const char *parent, int key)
{
    const auto port = IfName::parse(parent);
    const auto child = port ? nm_child_name(*port, static_cast<std::uint16_t>(key)) : std::nullopt;
    return child && child->view() == name;
}
} // namespace

Words follow(Draft &draft)
{
    auto *ib = draft.infiniband();
    const auto *interface = nm_setting_connection_get_interface_name(draft.base());
    if (!ib || !interface || given(draft, "connection.interface-name")) return {};
    if (!given(draft, "infiniband.p-key") && !given(draft, "infiniband.parent")) return {};
    const int key = nm_setting_infiniband_get_p_key(ib);
    const auto *had = nm_setting_infiniband_get_parent(ib);
    // From 1.44 on NetworkManager takes a name that does not fit, and replaces it without a word.
    if (key < 0 || (had && is_name_of(interface, had, key))) return {};

    // It was taken away, or the name is another child's: then nobody knows which is meant.
    if (!had && (given(draft, "infiniband.parent") || is_child_name(interface))) return {};
    const std::string parent = had ? had : interface;
    const auto child = form("%s.%04x", parent.c_str(), static_cast<unsigned>(key));
    const auto trial = copy_of(draft.connection.get());
    const bool fits = child.size() <= IfName::max_length; // else NetworkManager finds its name itself
    const auto change = [&](NMConnection *c) {
        g_object_set(nm_connection_get_setting_infiniband(c), "parent", parent.c_str(), nullptr);
        g_object_set(nm_connection_get_setting_connection(c), "interface-name", fits ? child.c_str() : nullptr,
                     nullptr);
    };
    change(trial.get());
    if (!normalized(trial.get())) return {}; // something else is wrong: that is to be told, as nmcli does
    change(draft.connection.get());

    const auto id = printable(str(nm_connection_get_id(draft.connection.get())));
    Words lines;
    if (!had) lines.push_back(form(_("'%s': infiniband.parent set to %s"), id.c_str(), printable(parent).c_str()));
    lines.push_back(fits ? form(_("'%s': connection.interface-name set to %s, as P_Key 0x%04x on %s asks for"),
                                id.c_str(), printable(child).c_str(), static_cast<unsigned>(key),
                                printable(parent).c_str())
                         : form(_("'%s': connection.interface-name unset, %s would be longer than 15 characters"),
                                id.c_str(), printable(child).c_str()));
    return lines;
}

Words advise_on_parts(const Draft &draft, NMConnection *connection)
{
    auto *ib = nm_connection_get_setting_infiniband(connection);
    if (!ib) return {};
    Words lines;
    const int key = nm_setting_infiniband_get_p_key(ib);
    const auto *parent = nm_setting_infiniband_get_parent(ib);
    const auto *interface = nm_connection_get_interface_name(connection);
    const auto typed = draft.typed.find("connection.interface-name");
    if (key >= 0 && interface && typed != draft.typed.end() && !typed->second.empty() && typed->second != interface)
        lines.push_back(form(_("interface-name %s does not fit P_Key 0x%04x: NetworkManager makes it %s"),
                             printable(typed->second).c_str(), static_cast<unsigned>(key),
                             printable(interface).c_str()));
    if (key >= 0 && !parent && nm_setting_infiniband_get_mac_address(ib))
        lines.push_back(
            form(_("P_Key 0x%04x with a mac-address and no parent: NetworkManager brings the profile up on the "
                   "port itself, in the port's own partition; give it infiniband.parent instead of the "
                   "mac-address"),
                 static_cast<unsigned>(key)));
    if (key < 0 && parent)
        lines.push_back(form(_("parent %s means nothing without a p-key, and NetworkManager 1.54 and later refuse it; "
                               "unset infiniband.parent too"),
                             printable(parent).c_str()));
    if (key < 0 && interface && is_child_name(interface))
        lines.push_back(form(_("interface-name is %s, which is made only for a profile with a p-key; set "
                               "connection.interface-name to the port's"),
                             printable(interface).c_str()));
    return lines;
}

} // namespace nmib::cli
