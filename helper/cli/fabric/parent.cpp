// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/fabric/parent.hpp"

#include "cli/base/profile.hpp"
#include "cli/verb/saving.hpp"
#include "core/hwaddr.hpp"
#include "probe/rtnl.hpp"

namespace nmib::cli
{

namespace
{
Object<NMConnection> parent_profile(const char *parent, const Profiles &profiles)
{
    const auto id = free_name(std::string("infiniband-") + parent, [&](const std::string &name) {
        return find_name(profiles.names(), &Name::id, name).has_value();
    });
    auto made = new_draft();
    auto *c = made.connection.get();
    g_object_set(made.base(), "id", id.c_str(), "type", "infiniband", "interface-name", parent, nullptr);
    for (const auto *name : {"infiniband", "ipv4", "ipv6"})
        nm_connection_add_setting(c, new_setting(*find_group(name)));
    g_object_set(nm_connection_get_setting_ip4_config(c), "method", "disabled", nullptr);
    g_object_set(nm_connection_get_setting_ip6_config(c), "method", "disabled", nullptr);
    nm_connection_normalize(c, nullptr, nullptr, nullptr);
    return std::move(made.connection);
}

/// Whether a profile without an interface-name may be for the port of this address; for any, when that is not known.
bool may_be_for(NMConnection *connection, const std::optional<HwAddr> &port)
{
    auto *ib = nm_connection_get_setting_infiniband(connection);
    if (!ib || nm_setting_infiniband_get_p_key(ib) >= 0) return false;
    const auto address = HwAddr::parse(str(nm_setting_infiniband_get_mac_address(ib)));
    return !port || !address || address->guid() == port->guid();
}

std::optional<HwAddr> address_of(const char *interface)
{
    const auto name = IfName::parse(interface);
    auto rtnl = name ? Rtnl::open() : Result<Rtnl>(Error{});
    const auto row = rtnl ? rtnl->link(*name) : Result<LinkRow>(Error{});
    return row && row->infiniband ? std::optional(row->address) : std::nullopt;
}
} // namespace

bool has_parent_profile(const Draft &draft, const Profiles &profiles)
{
    auto *ib = draft.infiniband();
    const auto *parent = ib ? nm_setting_infiniband_get_parent(ib) : nullptr;
    if (!parent || nm_setting_infiniband_get_p_key(ib) < 0) return true;
    const auto own = str(nm_connection_get_uuid(draft.connection.get()));
    Words nameless;
    for (const auto &k : profiles.names()) {
        if (k.type != "infiniband" || k.uuid == own) continue;
        if (k.interface == parent) return true;
        if (k.interface.empty()) nameless.emplace_back(k.uuid);
    }
    bool found = false;
    const auto port = nameless.empty() ? std::nullopt : address_of(parent);
    profiles.daemon().each_profile(nameless, [&](NMConnection *c) { found = found || may_be_for(c, port); });
    return found;
}

std::optional<Failure> store_with_parent(const Draft &draft, const Profiles &profiles, const Options &options,
                                         bool save, const std::function<std::optional<Failure>()> &store)
{
    // What is going to be refused is refused first.
    if (!options.with_parent || !normalized(draft.connection.get()) || has_parent_profile(draft, profiles))
        return store();
    const auto made = parent_profile(nm_setting_infiniband_get_parent(draft.infiniband()), profiles);
    const auto path = profiles.add(made.get(), save);
    if (!path) return failed_to_add(made.get(), path.error());
    if (auto failure = store()) {
        (void)profiles.daemon().remove(*path);
        return failure;
    }
    tell_added(profiles, made.get());
    return {};
}

} // namespace nmib::cli
