// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/forecast.hpp"

#include "cli/active.hpp"
#include "cli/keyfiles.hpp"
#include "cli/profile.hpp"
#include "cli/words.hpp"
#include "config.h"
#include "core/naming.hpp"
#include "probe/conf.hpp"

#include <algorithm>
#include <climits>

namespace nmib::cli
{

namespace
{
/// The UUID of the profile that NetworkManager noted for an interface, which it does when it is all up
/// (NetworkManager src/core/nm-manager.c, manager_device_state_changed).
std::optional<std::string> noted_profile(int ifindex)
{
    const auto dir = Dir::open("/run/NetworkManager/devices");
    const auto note = dir ? read_device_note(*dir, ifindex) : std::nullopt;
    if (!note || note->profile_uuid.empty()) return std::nullopt;
    return note->profile_uuid;
}

/// Whether an active profile, as it is stored by now, is for the P_Key child of another name.
bool is_for_another(const Intent &asked, const IfName &name)
{
    if (!asked.parent || !asked.p_key) return false;
    return nm_child_name(*asked.parent, *asked.p_key) != name && kernel_child_name(*asked.parent, *asked.p_key) != name;
}

/// What an active profile still asks. One that NetworkManager made of what it found asks nothing; an automatic MTU is
/// what a lease, a bond or NetworkManager.conf made of it, and one too low for IPv6 is NetworkManager's to raise.
void keep_what_holds(Profile &profile, bool changed)
{
    auto &intent = profile.intent;
    if (profile.generated || changed) {
        intent = {};
        intent.profile = profile.id;
    } else if (intent.mtu && *intent.mtu < mtu::ipv6_minimum) {
        intent.mtu.reset();
    }
}

Finding about(Finding::Code code, const Forecast &f)
{
    Finding finding{code, f.link};
    finding.severity = Finding::Severity::info;
    finding.profile = f.profile.id;
    return finding;
}

void refuse(Forecast &f, Finding finding)
{
    finding.severity = Finding::Severity::error;
    f.plan.changes.clear();
    f.plan.refusal = std::move(finding);
}

/// What keeps NetworkManager from making a P_Key child: an interface that has the key, or the name of its parent.
void refuse_child(Forecast &f, const std::optional<IfName> &taken)
{
    auto &findings = f.plan.findings;
    const auto it = std::find_if(findings.begin(), findings.end(),
                                 [](const Finding &x) { return x.code == Finding::Code::parent_name_long; });
    if (it != findings.end()) {
        refuse(f, std::move(*it));
        findings.erase(it);
    }
    if (!taken) return;
    auto finding = about(Finding::Code::pkey_taken, f);
    finding.key = *f.profile.intent.p_key;
    finding.subject = taken->str();
    refuse(f, std::move(finding));
}

/// The profile as core sees it.
Result<Profile> core_profile(NMConnection *connection)
{
    const auto text = to_keyfile(connection);
    if (!text) return text.error();
    const auto id = str(nm_connection_get_id(connection));
    const auto file = Keyfile::parse(*text, id);
    if (!file) return file.error();
    return parse_profile(*file, id);
}
} // namespace

Result<Machine> Machine::open()
{
    auto probe = Probe::open({.sysfs = "/sys", .state = NMIB_STATE});
    if (!probe) return probe.error();
    auto read = read_policy(installed_policy_paths());
    return Machine(std::move(*probe), std::move(read.policy), std::move(read.warnings));
}

Result<Forecast> Machine::forecast(const IfName &name)
{
    const auto uuid = profile_on(name);
    auto profile = uuid ? stored_profile(*uuid) : std::nullopt;
    const bool changed = profile && is_for_another(profile->intent, name);
    if (profile) keep_what_holds(*profile, changed);
    auto f = forecast(name, profile);
    if (f && changed) f->plan.findings.push_back(about(Finding::Code::profile_changed, *f));
    return f;
}

Result<Forecast> Machine::forecast(NMConnection *connection)
{
    const auto c = normalized(connection);
    if (!c) return c.error();
    auto profile = core_profile(c->get());
    if (!profile) return profile.error();
    auto &intent = profile->intent;
    auto name = interface_of(c->get());
    auto *ib = nm_connection_get_setting_infiniband(c->get());
    const auto address = HwAddr::parse(ib ? str(nm_setting_infiniband_get_mac_address(ib)) : "");
    if (!name && address && !intent.p_key) name = port_of(*address);
    if (!name) return Error{Error::Kind::absent, {}};
    auto f = forecast(*name, *profile);
    if (f && address && !intent.p_key && f->facts.find(f->profile.intent.ifindex)->address.guid() != address->guid())
        refuse(*f, about(Finding::Code::other_port, *f));
    if (f || f.error().kind != Error::Kind::absent || !intent.p_key || !intent.parent) return f;
    if (auto child = imagine_child(*profile)) return std::move(*child);
    return f;
}

Result<Forecast> Machine::forecast(const IfName &name, const std::optional<Profile> &profile)
{
    auto facts = probe_.around(name, policy_);
    if (!facts) return facts.error();
    const auto link =
        std::find_if(facts->links.begin(), facts->links.end(), [&](const Link &l) { return l.name == name; });
    if (link == facts->links.end()) return Error{Error::Kind::absent, name.str()};
    Forecast f{name, profile.value_or(Profile{}), {}, {}};
    f.profile.intent.ifindex = link->ifindex;
    f.plan = plan(*facts, f.profile.intent, policy_);
    f.facts = std::move(*facts);
    return f;
}

std::optional<Forecast> Machine::imagine_child(const Profile &profile)
{
    const auto &intent = profile.intent;
    auto facts = probe_.around(*intent.parent, policy_);
    const auto name = kernel_child_name(*intent.parent, *intent.p_key);
    const auto key = PKey::from(*intent.p_key);
    if (!facts || !name || !key) return std::nullopt;
    const auto parent =
        std::find_if(facts->links.begin(), facts->links.end(), [&](const Link &l) { return l.name == *intent.parent; });
    if (parent == facts->links.end() || parent->is_child()) return std::nullopt;
    if (parent->port) {
        auto &port = facts->ports[*parent->port];
        if (auto keys = probe_.sysfs().pkeys(facts->hcas[port.hca].name, port.number)) {
            port.pkeys = std::move(*keys);
            port.pkeys_known = true;
        }
    }
    auto child = *parent;
    child.ifindex = INT_MAX;
    child.name = *name;
    child.parent = parent->ifindex;
    child.mode = TransportMode::datagram;
    child.mtu = 2048 - mtu::encapsulation; // what a port has at least; the group is the partition's own
    child.mtu_ceiling.reset();
    child.up = child.carrier = false;
    for (auto &feature : child.features) feature.requested = feature.available; // as the kernel makes it
    child.pkey = key->full();
    child.port.reset();
    const auto same = std::find_if(facts->links.begin(), facts->links.end(),
                                   [&](const Link &l) { return l.pkey && l.pkey->value() == *intent.p_key; });
    const auto taken = same == facts->links.end() ? std::nullopt : std::optional(same->name);
    facts->links.push_back(child);
    facts->sort();
    Forecast f{*name, profile, {}, {}, true};
    f.profile.intent.ifindex = child.ifindex;
    f.plan = plan(*facts, f.profile.intent, policy_);
    f.facts = std::move(*facts);
    refuse_child(f, taken);
    return f;
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

const std::variant<Daemon, Failure> &Machine::daemon()
{
    if (!daemon_) daemon_.emplace(Daemon::connect());
    return *daemon_;
}

std::optional<std::string> Machine::profile_on(const IfName &name)
{
    const auto row = probe_.rtnl().link(name);
    if (!row) return std::nullopt;
    auto uuid = noted_profile(row->ifindex);
    if (const auto *connected = uuid ? nullptr : std::get_if<Daemon>(&daemon()))
        uuid = active_profile(*connected, name.str());
    return uuid;
}

std::optional<IfName> Machine::interface_with(const std::string &profile)
{
    const auto all = interfaces();
    if (!all) return std::nullopt;
    const auto it = std::find_if(all->begin(), all->end(), [&](const IfName &n) { return profile_on(n) == profile; });
    return it == all->end() ? std::nullopt : std::optional(*it);
}

std::optional<IfName> Machine::port_of(const HwAddr &address)
{
    const auto rows = probe_.rtnl().ipoib_links();
    if (!rows) return std::nullopt;
    for (const auto &row : *rows)
        if (row.name && row.infiniband && !row.parent && row.address.guid() == address.guid()) return row.name;
    return std::nullopt;
}

std::optional<Profile> Machine::stored_profile(const std::string &uuid)
{
    if (!names_) names_ = scan_names().value_or(Names());
    if (const auto name = find_name(*names_, &Name::uuid, uuid))
        if (auto p = read_profile(name->known().file)) return std::move(*p);
    const auto *connected = std::get_if<Daemon>(&daemon());
    const auto path = connected ? connected->path_of(uuid) : Result<std::string>(bad(""));
    const auto connection = path ? connected->profile(*path) : Result<Object<NMConnection>>(bad(""));
    if (!connection) return std::nullopt;
    if (auto p = core_profile(connection->get())) return std::move(*p);
    return std::nullopt;
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

std::string future(const Change &change, const Policy &policy)
{
    if (const auto *m = std::get_if<SetMode>(&change))
        return form(_("transport mode %s"), std::string(name(m->mode)).c_str());
    if (const auto *u = std::get_if<SetMtu>(&change)) return form(_("MTU %u, or what the subnet allows"), u->at_most);
    const auto &f = std::get<SetFeature>(change);
    const auto quirk = f.quirk < policy.quirks.size() ? policy.quirks[f.quirk].name : std::string("?");
    return form(f.on ? _("%s on (quirk %s)") : _("%s off (quirk %s)"), std::string(f.feature.view()).c_str(),
                quirk.c_str());
}

const char *word(Finding::Severity severity)
{
    using Severity = Finding::Severity;
    return severity == Severity::error ? N_("error") : severity == Severity::warning ? N_("warning") : N_("note");
}

Failure failure_of(const Error &error)
{
    return {error.kind == Error::Kind::absent ? exit_not_found : exit_failed, form(_("Error: %s"), error.what.c_str())};
}

} // namespace nmib::cli
