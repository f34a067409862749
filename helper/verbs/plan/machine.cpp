// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/plan/machine.hpp"

#include "config.h"
#include "core/base/text.hpp"
#include "core/ib/ifname.hpp"
#include "nm/profile.hpp"
#include "nm/profiles.hpp"
#include "nm/properties.hpp"
#include "probe/plan/policy.hpp"
#include "probe/plan/state.hpp"
#include "probe/rdma/facts.hpp"
#include "terminal/words.hpp"
#include "verbs/port/inventory.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
/// Returns true if an active profile, as stored now, is for a P_Key child of another name.
bool is_for_another(const Intent &asked, const IfName &name)
{
    if (!asked.parent || !asked.p_key) return false;
    return nm_child_name(*asked.parent, *asked.p_key) != name && kernel_child_name(*asked.parent, *asked.p_key) != name;
}

Result<Profile> core_profile(NMConnection *connection)
{
    const auto text = to_keyfile(connection);
    if (!text) return text.error();
    const auto id = str(nm_connection_get_id(connection));
    const auto file = Keyfile::parse(*text, id);
    if (!file) return file.error();
    auto profile = parse_profile(*file, id);
    const auto read = read_rdma_words(words_directory, str(nm_connection_get_uuid(connection)));
    if (profile) profile->intent.skip = read && read->words.skip;
    return profile;
}
} // namespace

namespace
{
/// Returns false if the plugin has not read these files, or others.
bool is_in_force(const PolicyRead &read)
{
    const auto state = Dir::open(NMIB_STATE);
    if (!state || !plugin_in_charge(*state)) return true;
    const auto digest = state->read(state_configuration, 128);
    return digest && *digest == read.digest;
}
} // namespace

void keep_what_holds(Profile &profile, bool changed)
{
    if (profile.generated || changed) profile.intent = {.profile = profile.id, .skip = profile.intent.skip};
}

Result<Machine> Machine::open()
{
    auto probe = Probe::open({.sysfs = "/sys", .state = NMIB_STATE});
    if (!probe) return probe.error();
    auto read = read_policy(installed_policy_paths());
    if (!is_in_force(read))
        read.warnings.push_back(Error{Error::Kind::invalid, "NetworkManager still uses an earlier version of " NMIB_CONF
                                                            " or of a quirk file. To read them: nmcli general reload"});
    return Machine(std::move(*probe), std::move(read.policy), std::move(read.warnings));
}

Result<Forecast> Machine::forecast(const IfName &name)
{
    const auto uuid = profile_on(name);
    const auto stored = uuid ? stored_profile(*uuid) : Result<Profile>(Profile{});
    auto profile = stored ? *stored : Profile{.id = {}, .uuid = *uuid, .intent = {}};
    const bool changed = is_for_another(profile.intent, name);
    keep_what_holds(profile, changed);
    auto f = forecast(name, profile, Moment::by_hand);
    if (!f) return f;
    f->active = uuid.has_value();
    if (!stored) f->profile_unread = stored.error().what;
    if (changed) f->plan.findings.push_back(about(find_kind("profile-changed"), *f));
    return f;
}

Result<Forecast> Machine::forecast(NMConnection *connection)
{
    const auto carried = carried_by(connection);
    const auto below = carried ? IfName::parse(carried->interface) : std::nullopt;
    auto f = nm_connection_get_setting_infiniband(connection) || !below
                 ? forecast_profile(connection)
                 : forecast(*below, Profile{.id = str(nm_connection_get_id(connection)), .uuid = {}, .intent = {}},
                            Moment::forecast);
    if (f && carried) {
        auto finding = about(find_kind("not-carried"), *f);
        finding.values = {{"profile", str(nm_connection_get_id(connection))}, {"type", carried->what}};
        refuse(*f, std::move(finding));
    } else if (f && !f->plan.findings.empty()) {
        expect_activation(*f, may_have_plugin());
    }
    return f;
}

Result<Forecast> Machine::forecast_profile(NMConnection *connection)
{
    const auto c = normalized(connection);
    if (!c) return c.error();
    auto profile = core_profile(c->get());
    if (!profile) return profile.error();
    auto &intent = profile->intent;
    auto name = interface_of(c->get());
    auto *ib = nm_connection_get_setting_infiniband(c->get());
    const auto address = HwAddr::parse(ib ? str(nm_setting_infiniband_get_mac_address(ib)) : "");
    if (!name && address && !intent.parent) name = port_with(probe_.rtnl(), *address); // also with a P_Key
    if (!name) return Error{Error::Kind::absent, {}};
    auto f = forecast(*name, *profile, Moment::forecast);
    if (f && address && !intent.p_key && f->facts.find(f->profile.intent.ifindex)->address.guid() != address->guid())
        refuse(*f, about(find_kind("profile-for-other-port"), *f));
    if (f || f.error().kind != Error::Kind::absent || !intent.p_key || !intent.parent) return f;
    if (auto child = forecast_child(*profile)) return std::move(*child);
    return f;
}

Result<Forecast> Machine::forecast(const IfName &name, const Profile &profile, Moment moment)
{
    auto facts = look(name);
    if (!facts) return facts.error();
    return forecast_on(std::move(*facts), name, profile, policy_, moment);
}

Result<Facts> Machine::look(const IfName &name)
{
    auto facts = probe_.around(name, policy_);
    if (!facts) return facts;
    probe_.read_pkeys(*facts);
    probe_.read_sm_lid(*facts);
    for (auto &link : facts->links) {
        if (link.name != name) continue;
        auto read = probe_.ethtool().features(name, link.ifindex, {tso_feature});
        if (read)
            link.features.push_back(read->front());
        else
            link.unread = read.error().what;
    }
    return facts;
}

std::optional<Forecast> Machine::forecast_child(const Profile &profile)
{
    const auto &intent = profile.intent;
    auto facts = look(*intent.parent);
    if (!facts) return std::nullopt;
    return cli::forecast_child(std::move(*facts), profile, policy_, holder_of(*intent.parent, *intent.p_key));
}

Result<std::vector<IfName>> Machine::interfaces()
{
    const auto rows = probe_.rtnl().ipoib_links();
    if (!rows) return rows.error();
    std::vector<IfName> names;
    for (const auto &row : *rows)
        if (row.name && row.infiniband) names.push_back(*row.name);
    return names;
}

const Result<Daemon, Failure> &Machine::daemon()
{
    if (!daemon_) daemon_.emplace(Daemon::connect());
    return *daemon_;
}

bool Machine::may_have_plugin()
{
    const auto state = Dir::open(NMIB_STATE);
    return (state && plugin_in_charge(*state)) || !bool(daemon());
}

std::optional<std::string> Machine::profile_on(const IfName &name)
{
    const auto *connected = daemon() ? &*daemon() : nullptr;
    const auto device = connected ? connected->path_of_device(name.str()) : Result<std::string>(Error{});
    if (!device) return std::nullopt;
    const auto about = Properties::of(*connected, *device, NM_DBUS_INTERFACE_DEVICE);
    const auto path = about ? about->object("ActiveConnection") : std::string();
    if (path.empty()) return std::nullopt;
    const auto active = Properties::of(*connected, path, NM_DBUS_INTERFACE_ACTIVE_CONNECTION);
    if (!active) return std::nullopt; // deactivated meanwhile
    return active->text("Uuid");
}

std::optional<IfName> Machine::interface_with(const std::string &profile)
{
    const auto all = interfaces();
    if (!all) return std::nullopt;
    const auto it = std::find_if(all->begin(), all->end(), [&](const IfName &n) { return profile_on(n) == profile; });
    return it == all->end() ? std::nullopt : std::optional(*it);
}

std::optional<IfName> Machine::holder_of(const IfName &parent, std::uint16_t p_key)
{
    const auto root = probe_.rtnl().link(parent);
    const auto rows = probe_.rtnl().ipoib_links();
    if (!root || !rows) return std::nullopt;
    const auto counts = [&](const LinkRow &row) { // a child by rtnetlink does not count, and has no mode file
        const auto made_in_sysfs = probe_.sysfs().has_mode_file(*row.name, row.ifindex);
        return row.ifindex == root->ifindex || (row.parent == root->ifindex && made_in_sysfs && *made_in_sysfs);
    };
    for (const auto &row : *rows)
        if (row.name && row.pkey && row.pkey->value() == p_key && counts(row)) return row.name;
    return std::nullopt;
}

Result<Profile> Machine::stored_profile(const std::string &uuid)
{
    const auto &connected = *daemon();
    const auto path = connected.path_of(uuid);
    if (!path) return path.error();
    const auto connection = connected.profile(*path);
    if (!connection) return connection.error();
    auto profile = core_profile(connection->get());
    const auto flags = connected.property(path->c_str(), NM_DBUS_INTERFACE_SETTINGS_CONNECTION, "Flags");
    if (profile && flags && g_variant_is_of_type(flags->get(), G_VARIANT_TYPE_UINT32))
        profile->generated = g_variant_get_uint32(flags->get()) & NM_SETTINGS_CONNECTION_FLAG_NM_GENERATED;
    return profile;
}

std::optional<IfName> interface_of(NMConnection *connection)
{
    if (const auto *name = nm_connection_get_interface_name(connection)) return IfName::parse(name);
    auto *ib = nm_connection_get_setting_infiniband(connection);
    if (!ib || nm_setting_infiniband_get_p_key(ib) < 0 || !nm_setting_infiniband_get_parent(ib)) return std::nullopt;
    const auto parent = IfName::parse(nm_setting_infiniband_get_parent(ib));
    if (!parent) return std::nullopt;
    return nm_child_name(*parent, static_cast<std::uint16_t>(nm_setting_infiniband_get_p_key(ib)));
}

namespace
{
/// Plans for the interface of this name, or for the port's own interface if the word names a port.
Result<Forecast> forecast_interface(Machine &machine, const std::string &what)
{
    const auto name = IfName::parse(what);
    auto f = name ? machine.forecast(*name) : Result<Forecast>(Error{Error::Kind::absent, {}});
    if (f || f.error().kind != Error::Kind::absent) return f;
    const auto inventory = take_inventory(Depth::list, what);
    for (const auto &device : inventory ? inventory->devices : std::vector<RdmaDevice>{})
        for (const auto &port : device.ports)
            if (!port.interfaces.empty()) return machine.forecast(port.interfaces.front().name);
    return f;
}

Error no_profile_without_daemon(const std::string &what)
{
    return bad(form("{}: not an InfiniBand interface, and NetworkManager is not running: profiles were not checked",
                    printable(what)));
}

Result<Object<NMConnection>> profile_named(const Daemon &daemon, const std::string &what)
{
    const auto found = Profiles(daemon).find({}, what);
    if (!found.empty()) return daemon.profile(found.front().path);
    return Error{Error::Kind::absent, form("{}: neither an InfiniBand interface nor a profile", printable(what))};
}

/// Returns true if a profile for any interface with the port's GUID is active on a child of the port.
bool is_on_child(const Forecast &port, const Result<Forecast> &there)
{
    const auto &intent = port.profile.intent;
    const auto *link = there && intent.anywhere ? there->facts.find(there->profile.intent.ifindex) : nullptr;
    return link && link->parent && link->parent == intent.ifindex;
}

Result<Forecast> forecast_profile(Machine &machine, const std::string &what)
{
    const auto *daemon = machine.daemon() ? &*machine.daemon() : nullptr;
    if (!daemon) return no_profile_without_daemon(what);
    const auto connection = profile_named(*daemon, what);
    if (!connection) return connection.error();
    if (!nm_connection_is_type(connection->get(), "infiniband") && !carried_by(connection->get()))
        return bad(form("profile '{}' is not of type infiniband", printable(what)));
    auto f = machine.forecast(connection->get());
    if (f ? f->imagined : f.error().kind != Error::Kind::absent) return f;
    if (const auto where = machine.interface_with(str(nm_connection_get_uuid(connection->get())))) {
        auto there = machine.forecast(*where);
        if (!f || *where == f->link || is_on_child(*f, there)) return there;
    }
    if (f) return f;
    return Error{Error::Kind::absent,
                 form("profile '{}': the interface of the profile does not exist", printable(what))};
}
} // namespace

std::optional<Carried> carried_by(NMConnection *c)
{
    auto *s = nm_connection_get_setting_connection(c);
    const auto controller = str(s ? nm_setting_connection_get_slave_type(s) : nullptr);
    if (controller == NM_SETTING_BRIDGE_SETTING_NAME || controller == NM_SETTING_TEAM_SETTING_NAME)
        return Carried{controller, str(nm_connection_get_interface_name(c))};
    const auto type = str(nm_connection_get_connection_type(c));
    if (type != NM_SETTING_VLAN_SETTING_NAME && type != NM_SETTING_MACVLAN_SETTING_NAME && type != "ipvlan") return {};
    auto *setting = nm_connection_get_setting_by_name(c, type.c_str());
    if (!setting) return {};
    char *parent = nullptr;
    g_object_get(setting, "parent", &parent, nullptr);
    return Carried{type, str(Text(parent).get())};
}

Result<Forecast> forecast_of(Machine &machine, const std::string &what)
{
    auto interface = forecast_interface(machine, what);
    if (interface && !interface->profile.uuid.empty()) return interface;
    auto profile = forecast_profile(machine, what);
    return profile || (!interface && interface.error().kind == Error::Kind::absent) ? profile : interface;
}

Result<Forecast> forecast_active(Machine &machine, const std::string &what)
{
    auto interface = forecast_interface(machine, what);
    const auto *daemon = machine.daemon() ? &*machine.daemon() : nullptr;
    if (interface || interface.error().kind != Error::Kind::absent) return interface;
    if (!daemon) return no_profile_without_daemon(what);
    const auto profile = profile_named(*daemon, what);
    if (!profile) return profile.error();
    if (const auto where = machine.interface_with(str(nm_connection_get_uuid(profile->get()))))
        return machine.forecast(*where);
    return Error{Error::Kind::absent, form("profile '{}' is not active on an InfiniBand interface", printable(what))};
}

} // namespace nmib::cli
