// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/connection/parent.hpp"

#include "cli/base/profile.hpp"
#include "cli/connection/port.hpp"
#include "cli/nmcli/offline.hpp"

namespace nmib::cli
{

namespace
{
/// Whether a profile without an interface-name may be for the port of this address; for any, when that is not known.
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

Result<Object<NMConnection>> parent_profile(const Draft &child, const Profiles &profiles)
{
    const auto parent = str(nm_setting_infiniband_get_parent(child.infiniband()));
    auto made = run_offline("add", {"type", "infiniband", "con-name", profiles.free_name("infiniband-" + parent),
                                    "ifname", parent, "ipv4.method", "disabled", "ipv6.method", "disabled"});
    if (!made) return made.error();
    if (!made->connection) return bad(made->refusal.text);
    return std::move(made->connection);
}

} // namespace nmib::cli
