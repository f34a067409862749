// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/plan/probe.hpp"

#include "core/plan/plan.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
/// Converts the kernel's row, which must have a name.
Link link(const LinkRow &row)
{
    Link l{.ifindex = row.ifindex, .name = *row.name};
    l.parent = row.parent;
    l.address = row.address;
    l.mtu = row.mtu;
    l.mode = row.mode.value_or(TransportMode::datagram);
    l.pkey = row.pkey;
    l.up = row.up;
    l.carrier = row.carrier;
    return l;
}
} // namespace

Result<Probe> Probe::open(const ProbePaths &paths)
{
    auto sysfs = Sysfs::open(paths.sysfs);
    if (!sysfs) return sysfs.error();
    auto rtnl = Rtnl::open();
    if (!rtnl) return rtnl.error();
    auto ethtool = Ethtool::open();
    if (!ethtool) return ethtool.error();
    return Probe(std::move(*sysfs), std::move(*rtnl), std::move(*ethtool), paths);
}

Result<Facts> Probe::around(int ifindex, const Policy &policy, Depth depth)
{
    auto row = rtnl_.link(ifindex);
    if (!row) return row.error();
    return around(*row, policy, depth);
}

Result<Facts> Probe::around(const IfName &name, const Policy &policy, Depth depth)
{
    auto row = rtnl_.link(name);
    if (!row) return row.error();
    return around(*row, policy, depth);
}

Result<Facts> Probe::around(const LinkRow &row, const Policy &policy, Depth depth)
{
    auto facts = read_facts(row, policy, depth);
    if (!facts || !has_moved(*facts)) return facts;
    const auto now = rtnl_.link(row.ifindex);
    return now.and_then([&](auto &found) { return read_facts(found, policy, depth); });
}

bool Probe::has_moved(const Facts &facts)
{
    return std::any_of(facts.links.begin(), facts.links.end(), [&](const Link &l) {
        if (l.unread.empty()) return false;
        const auto now = rtnl_.link(l.ifindex);
        return now ? now->name != l.name : now.error().kind == Error::Kind::absent;
    });
}

Result<Facts> Probe::read_facts(const LinkRow &row, const Policy &policy, Depth depth)
{
    Facts facts;
    if (auto r = add(facts, row); !r) return r.error();
    if (row.parent) {
        const auto parent = rtnl_.link(row.parent);
        if (const auto r = parent.and_then([&](auto &found) { return add(facts, found); }); !r)
            facts.links.front().unread = r.error().what;
    }
    facts.sort();
    for (auto &l : facts.links)
        if (!l.is_child()) add_device(facts, l);
    if (depth == Depth::link) return facts;
    auto &link = *facts.find(row.ifindex);
    if (depth == Depth::firmware) read_sm_lid(facts);
    if (depth == Depth::firmware && link.is_child()) read_pkeys(facts);
    if (!link.is_child() && !features_of_interest(facts, link, policy).empty())
        if (auto r = add_children(facts, row.ifindex); !r) return r.error();
    read_features(facts, policy);
    return facts;
}

void Probe::read_pkeys(Facts &facts) const
{
    if (!facts.device) return;
    for (auto &port : facts.device->ports) port.pkeys = sysfs_.pkeys(facts.device->name, port.number);
}

void Probe::read_sm_lid(Facts &facts) const
{
    if (!facts.device) return;
    for (auto &port : facts.device->ports) port.sm_lid = sysfs_.sm_lid(facts.device->name, port.number);
}

Result<void> Probe::add(Facts &facts, const LinkRow &row)
{
    if (!row.infiniband || !row.name)
        return Error{Error::Kind::unsupported,
                     (row.name ? row.name->str() : "interface " + std::to_string(row.ifindex)) +
                         ": not an InfiniBand interface"};
    Link l = link(row);
    // Nearly all interfaces have the file: a lack of file descriptors must not cost connected mode.
    const auto has_mode = sysfs_.has_mode_file(l.name, l.ifindex);
    l.mode_writable = !has_mode || *has_mode;
    l.mtu_ceiling = read_ceiling(paths_.state, sysfs_.root(), l);
    facts.links.push_back(std::move(l));
    return {};
}

Result<void> Probe::add_children(Facts &facts, int parent)
{
    const auto all = rtnl_.ipoib_links();
    if (!all) return all.error();
    const auto notes = Dir::open(paths_.devices);
    for (const auto &row : *all) {
        if (row.parent != parent || !row.name) continue;
        Link l = link(row);
        const auto note = notes ? read_device_note(*notes, l.ifindex) : std::nullopt;
        l.has_profile = note && (note->nm_owned || !note->profile_uuid.empty()); // the UUID exists only while up
        facts.links.push_back(std::move(l));
    }
    facts.sort();
    return {};
}

void Probe::add_device(Facts &facts, Link &root)
{
    if (auto device = sysfs_.device(root.name, root.ifindex))
        facts.device = std::move(*device);
    else if (device.error().kind != Error::Kind::absent) // without a device, no quirk can match
        root.unread = device.error().what;
}

void Probe::read_features(Facts &facts, const Policy &policy)
{
    for (auto &l : facts.links) {
        const auto names = features_of_interest(facts, l, policy);
        if (names.empty()) continue;
        if (auto f = ethtool_.features(l.name, l.ifindex, names))
            l.features = std::move(*f);
        else if (f.error().kind == Error::Kind::unsupported)
            for (const auto &name : names) l.features.push_back({name, false, false, false});
        else
            l.unread = f.error().what;
    }
}

} // namespace nmib
