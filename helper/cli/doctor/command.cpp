// SPDX-License-Identifier: LGPL-2.1-or-later
/// doctor [PORT|IFACE] [--json], doctor --merge FILE... [--json]
#include "cli/base/profile.hpp"
#include "cli/doctor/merge.hpp"
#include "cli/doctor/report.hpp"
#include "cli/fabric/machine.hpp"
#include "cli/port/inventory.hpp"
#include "cli/verb/verbs.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/printable.hpp"
#include "probe/inventory/modules.hpp"
#include "probe/inventory/networks.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr int exit_warnings = 1, exit_errors = 2;

/// The interfaces on a port with this GUID.
void want(const HwAddr &address, const Inventory &all, std::set<std::string> &wanted)
{
    for (const auto &device : all.devices)
        for (const auto &port : device.ports)
            if (port.guid && *port.guid == address.guid() && !port.interfaces.empty())
                wanted.insert(port.interfaces.front().name.str());
}

/// What the InfiniBand profiles are for: interfaces by name, parents of P_Keys, ports by their address.
std::set<std::string> wanted_by_profiles(const Inventory &all)
{
    std::set<std::string> wanted;
    const auto daemon = Daemon::connect();
    const auto *connected = std::get_if<Daemon>(&daemon);
    const auto paths = connected ? connected->profile_paths() : Result<Words>(Words{});
    if (!connected || !paths) return wanted;
    connected->each_profile_at(*paths, [&](const std::string &, const Result<Object<NMConnection>> &profile) {
        auto *ib = profile ? nm_connection_get_setting_infiniband(profile->get()) : nullptr;
        if (!ib) return;
        if (const auto name = interface_of(profile->get())) wanted.insert(name->str());
        if (const auto *parent = nm_setting_infiniband_get_parent(ib)) wanted.insert(parent);
        if (const auto address = HwAddr::parse(str(nm_setting_infiniband_get_mac_address(ib))))
            want(*address, all, wanted);
    });
    return wanted;
}

/// Without NetworkManager: what somebody has brought up.
std::set<std::string> wanted_by_hand(const Inventory &all)
{
    std::set<std::string> wanted;
    for (const auto &device : all.devices)
        for (const auto &port : device.ports)
            for (const auto &n : port.interfaces)
                if (n.up) wanted.insert(n.name.str());
    return wanted;
}

Words ipoib_interfaces(const Inventory &all)
{
    Words names;
    for (const auto &device : all.devices)
        for (const auto &port : device.ports)
            for (const auto &n : port.interfaces)
                if (n.infiniband && n.up) names.push_back(n.name.str());
    return names;
}

Result<Host> look(const std::string &word)
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    auto all = take_inventory(true);
    if (!all) return all.error();
    Host host{.has_ipoib = has_module(*sysfs, "ib_ipoib"), .has_umad = has_module(*sysfs, "ib_umad")};
    if (word.empty()) host.bare_functions = bare_functions(*sysfs);
    host.wanted = all->has_daemon ? wanted_by_profiles(*all) : wanted_by_hand(*all);
    if (!word.empty()) {
        if (auto kept = keep(*all, word); !kept) return kept.error();
        for (const auto &device : all->devices) // who asks for a port wants it
            for (const auto &port : device.ports)
                if (!port.interfaces.empty()) host.wanted.insert(port.interfaces.front().name.str());
    }
    const auto proc = Dir::open("/proc");
    const auto networks = proc ? read_networks(*proc, ipoib_interfaces(*all)) : Result<std::vector<IpNetwork>>(Error{});
    if (networks) host.networks = *networks;
    host.devices = std::move(all->devices);
    return host;
}
} // namespace

std::optional<Failure> diagnose_machine(Invocation &in)
{
    if (in.args.has("--merge")) return merge_hosts(in.args);
    bool as_json = false;
    std::string what;
    while (!in.args.empty()) {
        auto w = in.args.take();
        if (w == "--json")
            as_json = true;
        else if (w.empty() || w.starts_with('-') || !what.empty())
            return Failure{exit_usage, _("Usage: nm-ib doctor [PORT|IFACE | --merge FILE...] [--json]")};
        else
            what = std::move(w);
    }
    const auto host = look(what);
    if (!host) return failure_of(host.error());
    const auto all = diagnose(*host);
    if (as_json)
        print(json_of(all) + "\n");
    else
        print(all.empty() ? std::string(_("Nothing is wrong.")) + "\n" : text_of(all));
    if (all.empty()) return {};
    return Failure{all.front().severity == Trouble::Severity::error ? exit_errors : exit_warnings, {}};
}

} // namespace nmib::cli
