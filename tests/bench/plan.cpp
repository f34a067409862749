// SPDX-License-Identifier: LGPL-2.1-or-later
// How long plan() takes for a port with thousands of P_Key children: with a quirk that reaches all of them, with one
// that did already, and with none.
#include "core/plan/plan.hpp"
#include "bench/samples.hpp"

#include <cstdlib>
#include <string>

namespace
{
using namespace nmib;

const FeatureName tso = *FeatureName::parse("tx-tcp-segmentation");

Facts port_with_children(int children, bool requested)
{
    Facts facts;
    facts.device = RdmaDevice{.name = "mlx4_0", .driver = "mlx4_core"};
    facts.device->pci_id = PciId{0x15b3, 0x634a};
    facts.device->hw_rev = std::string("a0");
    facts.device->ports.emplace_back().sm_lid = 1U;
    Link link{.ifindex = 2, .name = *IfName::parse("ib0")};
    link.mtu = 2044;
    link.up = link.carrier = true;
    link.features = {{tso, true, requested}};
    facts.links.push_back(link);
    link.parent = 2;
    for (int i = 1; i <= children; i++) {
        link.ifindex = 2 + i;
        link.name = *IfName::parse("ib0." + std::to_string(0x8000 + i));
        link.pkey = PKey::from(static_cast<std::uint32_t>(0x8000 + i));
        facts.links.push_back(link);
    }
    return facts;
}

Policy policy_with_quirk()
{
    Quirk q;
    q.name = "mlx4-connectx-a0-lso";
    q.match = {"mlx4_core", 0x15b3, {0x6340, 0x634a, 0x6354, 0x6732, 0x673c}, 0xa0, {}, 0};
    q.features = {{tso, false}};
    Policy policy;
    policy.quirks.push_back(q);
    return policy;
}

struct Variant {
    std::string name;
    Facts facts;
    Policy policy;
    std::size_t changes; ///< what the plan must come to, or the figure is of something else
};
} // namespace

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 400;
    Intent intent;
    intent.ifindex = 2;
    intent.profile = "bench";
    intent.mode = TransportMode::datagram;
    intent.mtu = 2044;

    std::vector<Variant> variants;
    for (const int n : {4096, 8192}) {
        const auto size = std::to_string(n);
        const auto all = static_cast<std::size_t>(n) + 1;
        variants.push_back({"quirk" + size, port_with_children(n, true), policy_with_quirk(), all});
        variants.push_back({"settled" + size, port_with_children(n, false), policy_with_quirk(), 0});
        variants.push_back({"plain" + size, port_with_children(n, true), Policy{}, 0});
    }
    bench::interleave(rounds, 1, variants, [&](int round, const Variant &v) {
        const auto begin = bench::Clock::now();
        const auto made = plan(v.facts, intent, v.policy);
        const auto end = bench::Clock::now();
        if (made.changes.size() != v.changes) {
            std::fprintf(stderr, "%s: %zu changes, not %zu\n", v.name.c_str(), made.changes.size(), v.changes);
            std::exit(EXIT_FAILURE);
        }
        bench::print(round, v.name, end - begin);
    });
}
