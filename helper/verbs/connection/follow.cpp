// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/connection/follow.hpp"

#include "core/base/text.hpp"
#include "core/ib/ifname.hpp"
#include "nm/offline_profile.hpp"
#include "nm/profile.hpp"

namespace nmib::cli
{

std::optional<HwAddr> address_of(const std::string &interface)
{
    const auto name = IfName::parse(interface);
    auto rtnl = name ? Rtnl::open() : Result<Rtnl>(Error{});
    const auto row = rtnl.and_then([&](auto &r) { return r.link(*name); });
    return row && row->infiniband ? std::optional(row->address) : std::nullopt;
}

namespace
{
/// Returns true if a profile without interface-name may match the port of this address. `port` unset: any port.
bool may_be_for(NMConnection *connection, const std::optional<HwAddr> &port)
{
    auto *ib = nm_connection_get_setting_infiniband(connection);
    if (!ib || nm_setting_infiniband_get_p_key(ib) >= 0) return false;
    const auto address = HwAddr::parse(str(nm_setting_infiniband_get_mac_address(ib)));
    return !port || !address || address->guid() == port->guid();
}
} // namespace

bool has_parent_profile(const Draft &draft, const Profiles &profiles)
{
    auto *ib = draft.infiniband();
    const auto *parent = ib ? nm_setting_infiniband_get_parent(ib) : nullptr;
    if (!parent || nm_setting_infiniband_get_p_key(ib) < 0) return true;
    const auto own = str(nm_connection_get_uuid(draft.connection.get()));
    Words nameless;
    for (const auto &k : profiles.all()) {
        if (k.type != "infiniband" || k.uuid == own) continue;
        if (k.interface == parent) return true;
        if (k.interface.empty()) nameless.emplace_back(k.uuid);
    }
    bool found = false;
    const auto port = nameless.empty() ? std::nullopt : address_of(parent);
    profiles.daemon().each_profile(nameless, [&](NMConnection *c) { found = found || may_be_for(c, port); });
    return found;
}

Result<Object<NMConnection>, Failure> parent_profile(const Draft &child, const Profiles &profiles)
{
    const auto parent = str(nm_setting_infiniband_get_parent(child.infiniband()));
    auto made = run_offline("add", {"type", "infiniband", "con-name", profiles.free_name("infiniband-" + parent),
                                    "ifname", parent, "ipv4.method", "disabled", "ipv6.method", "disabled"});
    if (!made) return made.error();
    if (!made->connection) return Failure{exit_failed, made->refusal.text};
    return std::move(made->connection);
}

namespace
{
/// Returns true if NetworkManager gives this name to the child with the key.
bool is_name_of(std::string_view name, const char *parent, int key)
{
    const auto port = IfName::parse(parent);
    const auto child = port ? nm_child_name(*port, static_cast<std::uint16_t>(key)) : std::nullopt;
    return child && child->view() == name;
}

/// Returns the interface with the profile's mac-address; empty if not on this machine.
std::string port_of(NMSettingInfiniband *ib)
{
    const auto address = HwAddr::parse(str(nm_setting_infiniband_get_mac_address(ib)));
    auto rtnl = address ? Rtnl::open() : Result<Rtnl>(Error{});
    const auto port = rtnl ? port_with(*rtnl, *address) : std::nullopt;
    return port ? port->str() : "";
}
} // namespace

Follow::Follow(NMConnection *before, const PropertyWords &typed) : name_(str(nm_connection_get_interface_name(before)))
{
    auto *ib = nm_connection_get_setting_infiniband(before);
    const bool asked = typed.sets(Property::p_key) || typed.sets(Property::parent);
    if (!ib || !asked || typed.has(Property::interface_name)) return;
    const bool has_parent = typed.sets(Property::parent) || nm_setting_infiniband_get_parent(ib);
    // Parent removed, or the name of another child: the port is unknown.
    const bool knows = has_parent || (!typed.has(Property::parent) && !is_child_name(name_));
    moves_ = knows;
    if (knows && !has_parent) parent_ = name_;
}

std::string Follow::make_room(const std::string &keyfile) const
{
    const KeyFile file(moves_ ? g_key_file_new() : nullptr);
    if (!file || !g_key_file_load_from_data(file.get(), keyfile.c_str(), keyfile.size(), G_KEY_FILE_NONE, nullptr))
        return keyfile;
    g_key_file_remove_key(file.get(), "connection", "interface-name", nullptr);
    if (!parent_.empty()) g_key_file_set_string(file.get(), "infiniband", "parent", parent_.c_str());
    return str(Text(g_key_file_to_data(file.get(), nullptr, nullptr)).get());
}

Words Follow::finish(Draft &draft) const
{
    auto *ib = draft.infiniband();
    if (!moves_ || !ib) return {};
    // Undoes make_room().
    g_object_set(draft.base(), "interface-name", name_.empty() ? nullptr : name_.c_str(), nullptr);
    if (!parent_.empty()) g_object_set(ib, "parent", nullptr, nullptr);

    const int key = nm_setting_infiniband_get_p_key(ib);
    const auto *had = nm_setting_infiniband_get_parent(ib);
    // From 1.44 on, NetworkManager accepts a name that does not match, and silently replaces the name.
    if (key < 0 || (had && (name_.empty() || is_name_of(name_, had, key)))) return {};
    const auto parent = had ? std::string(had) : name_.empty() ? port_of(ib) : name_;
    if (parent.empty()) return {};
    const auto child = message(untranslated, "{}.{:04x}", parent, key);
    const auto trial = copy_of(draft.connection.get());
    const bool fits = child.size() <= IfName::max_length; // else NetworkManager chooses the name
    const auto change = [&](NMConnection *c) {
        g_object_set(nm_connection_get_setting_infiniband(c), "parent", parent.c_str(), nullptr);
        g_object_set(nm_connection_get_setting_connection(c), "interface-name", fits ? child.c_str() : nullptr,
                     nullptr);
    };
    change(trial.get());
    if (!normalized(trial.get())) return {}; // another mistake, reported on saving
    change(draft.connection.get());

    const auto id = printable(str(nm_connection_get_id(draft.connection.get())));
    Words lines;
    if (!had) lines.push_back(form("'{}': infiniband.parent set to {}", id, printable(parent)));
    lines.push_back(
        fits ? form("'{}': connection.interface-name set to {}, to match P_Key 0x{:04x} on {}", id, printable(child),
                    key, printable(parent))
             : form("'{}': connection.interface-name unset: {} has more than 15 characters", id, printable(child)));
    return lines;
}

} // namespace nmib::cli
