// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_world.hpp"

#include "core/base/text.hpp"
#include "make.hpp"

#include <algorithm>

namespace nmib::test
{

namespace
{
const std::vector<FeatureName> some_features = {tso, feature("tx-checksum-ipv4"), feature("rx-checksum"), feature("x")};
const std::vector<std::string> drivers = {"mlx4_core", "mlx5_core", ""};
const std::vector<std::uint16_t> vendors = {0x15b3, 0x1077};
const std::vector<std::uint16_t> devices = {0x634a, 0x6732, 0x1003};
const std::vector<std::uint32_t> revisions = {0xa0, 0xb0};
const std::vector<std::uint16_t> keys = {0x8002, 0x0002, 0x8003, 0xffff, 0x0001, 0x8000, 0};

template<class T> std::optional<T> maybe(Random &r, unsigned percent, const std::vector<T> &from)
{
    return r.chance(percent) ? std::optional(r.of(from)) : std::nullopt;
}

TransportMode any_mode(Random &r) { return r.chance(50) ? TransportMode::connected : TransportMode::datagram; }

RdmaDevice any_device(Random &r)
{
    RdmaDevice d{.name = "hca", .driver = r.of(drivers)};
    if (r.chance(90)) {
        d.pci_id = PciId{r.of(vendors), r.of(devices)};
        d.pci_revision = r.of(revisions);
    }
    if (r.chance(50)) d.hw_rev = hex(r.of(revisions), 2);
    RdmaPort p{.number = 1 + r.below(2)};
    p.sm_lid = r.below(3);
    std::vector<PKey> table;
    for (auto n = r.below(4); n > 0; n--)
        if (const auto key = PKey::from(r.of(keys))) table.push_back(*key);
    if (r.chance(70)) p.pkeys = pkey_table(table);
    d.ports.push_back(std::move(p));
    return d;
}

/// Names of any length; the number makes them unique.
Link any_link(Random &r, int ifindex)
{
    auto text = std::to_string(ifindex);
    text = std::string(1 + r.below(static_cast<unsigned>(IfName::max_length - text.size())), 'i') + text;
    auto l = port_link(ifindex, text);
    l.address = address(r.chance(75));
    l.mode_writable = r.chance(80);
    if (l.address.rc_capable()) l.mode = any_mode(r);
    const auto rungs = mtu::rungs(l.mode);
    l.mtu = std::min(r.chance(50) ? rungs[r.below(static_cast<unsigned>(rungs.size()))] : 72 + r.below(70000),
                     mtu::maximum(l.mode));
    l.connected_refused = r.chance(5);
    l.up = r.chance(70);
    l.carrier = r.chance(60);
    if (r.chance(10)) l.unread = "unread";
    for (const auto &f : some_features)
        if (r.chance(60)) l.features.push_back({f, r.chance(70), r.chance(50)});
    return l;
}

Quirk any_quirk(Random &r, std::size_t index)
{
    Quirk q;
    q.name = "quirk-" + std::to_string(index);
    if (r.chance(40)) q.match.driver = r.of(drivers);
    q.match.vendor = maybe(r, 30, vendors);
    if (r.chance(30)) q.match.devices = {r.of(devices), r.of(devices)};
    q.match.revision = maybe(r, 30, revisions);
    if (r.chance(20)) q.match.rc_capable = r.chance(50);
    if (r.chance(20)) q.match.name_longer_than = 1 + r.below(14);
    if (r.chance(40)) q.scope = Quirk::Scope::port;
    for (const auto &f : some_features)
        if (r.chance(35)) q.features.push_back({f, r.chance(40)});
    q.no_connected = r.chance(15);
    if (q.no_connected) q.reason = "because";
    if (r.chance(20)) q.warning = "beware";
    return q;
}

Facts any_facts(Random &r)
{
    Facts facts;
    if (r.chance(80)) facts.device = any_device(r);
    int next = 1;
    const auto ifindex = [&] { return next += 1 + static_cast<int>(r.below(20)); };
    facts.links.push_back(any_link(r, ifindex()));
    const int parent = r.chance(95) ? next : 100000; // or not among the facts
    for (auto c = r.below(5); c > 0; c--) {
        auto child = any_link(r, ifindex());
        child.parent = parent;
        child.pkey = PKey::from(r.of(keys) | 0x8000U);
        facts.links.push_back(std::move(child));
    }
    facts.sort();
    return facts;
}

Intent any_intent(Random &r, const Facts &facts)
{
    const auto &link = r.of(facts.links);
    Intent i{.ifindex = r.chance(97) ? link.ifindex : 99999, .profile = "p"};
    if (r.chance(70)) i.mode = any_mode(r);
    const std::vector<Mtu> mtus = {0, 0, 1, 72, 1280, 1500, 2044, 4092, 9000, 10236, 65520, 65521, UINT32_MAX};
    i.mtu = maybe(r, 70, mtus);
    if (link.is_child() && r.chance(60)) i.p_key = link.pkey ? link.pkey->partition() : 7;
    if (r.chance(10)) i.p_key = r.of(keys);
    if (r.chance(20)) i.features.push_back({r.of(some_features), r.chance(50)});
    return i;
}
} // namespace

RandomWorld random_world(unsigned seed)
{
    Random r(seed);
    RandomWorld w{any_facts(r), {}, {}};
    w.intent = any_intent(r, w.facts);
    for (std::size_t q = 0, n = r.below(5); q < n; q++) w.policy.quirks.push_back(any_quirk(r, q));
    if (r.chance(30)) w.policy.connected_impossible = Policy::Impossible::fail;
    return w;
}

} // namespace nmib::test
