// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/difference.hpp"
#include "core/merge/merge.hpp"
#include "id.hpp"
#include "make.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char *rack_gid = "fec0:0000:0000:0001:0002:c903:000a:0001";

PortNetdev netdev(const char *name, std::uint16_t key)
{
    PortNetdev n{.name = test::ifname(name)};
    n.infiniband = n.up = n.carrier = true;
    n.mtu = 2044;
    n.mode = TransportMode::datagram;
    n.pkey = PKey::from(key);
    return n;
}

/// A host with a card of one port; only the necessary values differ between hosts.
HostReport host(unsigned number)
{
    HostReport r{.host = "node" + std::to_string(number), .file = "node" + std::to_string(number) + ".json"};
    r.has_ports = true;
    RdmaDevice d{.name = "mlx5_0"};
    d.node_guid = Guid{0x0002c90300000000U + number * 16};
    d.system_guid = Guid{0x0002c90300000003U + number * 16};
    d.description = r.host + " mlx5_0";
    d.board_id = std::string("MT_0000000010");
    d.firmware = std::string("16.35.2000");
    RdmaPort p{.number = 1};
    p.layer = LinkLayer::infiniband;
    p.state = PortState::active;
    p.guid = Guid{0x0002c90300000001U + number * 16};
    p.lid = number;
    p.sm_lid = 1U;
    p.info = PortInfo{.mtu = 4096, .max_mtu = 4096};
    p.pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}, {1, test::pkey(0x8002)}};
    p.gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0002:c903:000a:0001", "IB/RoCE v1", ""}};
    p.interfaces = {netdev("ib0", 0xffff)};
    d.ports = {p};
    r.devices = {d};
    return r;
}

HostReport roce_host(unsigned number)
{
    auto r = host(number);
    auto &p = r.devices[0].ports[0];
    p = RdmaPort{.number = 1};
    p.layer = LinkLayer::roce;
    p.state = PortState::active;
    p.gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0202:c9ff:fe0a:0001", "IB/RoCE v1", "eth0"},
                                   {1, "fe80:0000:0000:0000:0202:c9ff:fe0a:0001", "RoCE v2", "eth0"},
                                   {2, "0000:0000:0000:0000:0000:ffff:0a00:0001", "IB/RoCE v1", "eth0"},
                                   {3, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2", "eth0"}};
    PortNetdev n{.name = test::ifname("eth0")};
    n.mtu = 9000;
    n.up = true;
    p.interfaces = {n};
    return r;
}

/// Four hosts on one fabric.
struct MergeTest : testing::Test {
    std::vector<HostReport> hosts{host(1), host(2), host(3), host(4)};

    RdmaPort &port(unsigned number) { return hosts[number - 1].devices[0].ports[0]; }
    PortNetdev &interface(unsigned number) { return port(number).interfaces[0]; }
    void set_prefix(unsigned number, const char *gid) { port(number).gids->front().gid = gid; }
    void add_second_card()
    {
        for (auto &h : hosts) {
            h.devices.push_back(h.devices[0]);
            h.devices[1].name = "mlx5_1", h.devices[1].ports[0].lid = *h.devices[0].ports[0].lid + 100;
            h.devices[1].node_guid->value += 8, h.devices[1].ports[0].guid->value += 8;
        }
    }
    std::vector<Trouble> all() const { return merge(hosts).troubles; }
    std::vector<std::string> ids() const
    {
        std::vector<std::string> names;
        for (const auto &t : all()) names.emplace_back(t.kind->id);
        return names;
    }
    /// The only finding.
    Trouble only(const char *id) const
    {
        const auto found = all();
        EXPECT_EQ(found.size(), 1U) << testing::PrintToString(ids());
        if (found.empty()) return {.kind = catalogue::merge_kinds};
        EXPECT_EQ(found[0].kind->id, id);
        return found[0];
    }
};

TEST_F(MergeTest, MatchingHostsHaveNoFindings)
{
    EXPECT_THAT(ids(), IsEmpty());
    EXPECT_EQ(merge(hosts).hosts, 4U);
    EXPECT_EQ(merge(hosts).ports, 4U);
    EXPECT_EQ(merge({}).hosts, 0U);
}

TEST_F(MergeTest, DifferentMtusInAPartitionAreAWarning)
{
    interface(3).mtu = 1500;
    const auto t = only("mtu-differs"_id);
    EXPECT_EQ(t.severity, Severity::warning);
    EXPECT_EQ(seen(t), "partition 0xffff of the subnet 0xfe80000000000000 (SM LID 1): its members have different MTUs: "
                       "1500: node3; 2044: node[1-2,4]");
    EXPECT_THAT(t.hosts, ElementsAre("node3"));
}

TEST_F(MergeTest, DifferentRatesOfEqualPortsAreAWarning)
{
    for (const auto n : {1U, 2U, 3U, 4U}) port(n).rate = PortRate{400000, "4X NDR"};
    EXPECT_THAT(ids(), IsEmpty());
    port(3).rate = PortRate{100000, "1X NDR"};
    const auto t = only("rate-differs"_id);
    EXPECT_EQ(seen(t), "ports mlx5_0/1 of cards with the board id MT_0000000010 have different rates: 100 Gb/s 1X NDR: "
                       "node3; 400 Gb/s 4X NDR: node[1-2,4]");
    hosts[2].devices[0].board_id = std::string("MT_0000000011");
    EXPECT_THAT(ids(), IsEmpty()) << "another kind of card";
}

TEST_F(MergeTest, PortThatIsDownOnSomeHostsIsAWarning)
{
    port(2).state = PortState::down;
    port(2).rate = PortRate{10000, "4X SDR"};
    EXPECT_THAT(seen(only("port-state-differs"_id)), HasSubstr("Down: node2; Active: node[1,3-4]"));
    for (const auto n : {1U, 3U, 4U}) port(n).state = PortState::down;
    EXPECT_THAT(ids(), IsEmpty()) << "no host uses the port";
}

TEST_F(MergeTest, PortsWithTheSameDifferenceAreOneFinding)
{
    add_second_card();
    for (auto &d : hosts[1].devices) d.ports[0].state = PortState::down;
    hosts[3].devices[1].firmware = std::string("16.35.1000");
    const auto all = merge(hosts).troubles;
    ASSERT_EQ(all.size(), 3U);
    const auto one = combined(all);
    ASSERT_EQ(one.size(), 2U);
    EXPECT_EQ(one[0].kind->id, "firmware-differs"_id);
    EXPECT_EQ(seen(one[1]), "ports mlx5_0/1, mlx5_1/1 of cards with the board id MT_0000000010 have different states: "
                            "Down: node2; Active: node[1,3-4]");
    hosts[2].devices[1].ports[0].state = PortState::down;
    EXPECT_EQ(combined(merge(hosts).troubles).size(), 3U) << "other hosts";
}

TEST_F(MergeTest, FewerPortsThanOnOtherHostsAreAWarning)
{
    add_second_card();
    RdmaDevice software{.name = "rxe0"};
    software.ports = {RdmaPort{.number = 1}};
    hosts[2].devices.push_back(software);
    EXPECT_THAT(ids(), IsEmpty());
    hosts[3].devices.pop_back();
    EXPECT_EQ(
        seen(only("ports-differ"_id)),
        "hosts with cards with the board ids MT_0000000010 have different numbers of ports: 1: node4; 2: node[1-3]");
}

TEST_F(MergeTest, HostThatLostItsCardsIsComparedWithItsSiblings)
{
    for (auto &h : hosts) {
        auto storage = h.devices[0];
        storage.name = "mlx5_1", storage.board_id = std::string("MT_0000000020"), storage.description = h.host + " 1";
        storage.node_guid = Guid{h.devices[0].node_guid->value + 8}, storage.system_guid = storage.node_guid;
        storage.ports[0].guid = *storage.node_guid, storage.ports[0].lid = 100U + *h.devices[0].ports[0].lid;
        h.devices.push_back(storage);
    }
    HostReport login{.host = "login1"}, other{.host = "gpu1"};
    login.has_ports = other.has_ports = true;
    other.devices = {host(9).devices[0]};
    hosts.push_back(login), hosts.push_back(other);
    EXPECT_THAT(ids(), IsEmpty()) << "other names: other machines";
    hosts[3].devices.pop_back();
    EXPECT_THAT(seen(only("ports-differ"_id)), HasSubstr(": 1: node4; 2: node[1-3]"));
    hosts[3].devices.clear();
    EXPECT_THAT(seen(only("ports-differ"_id)), HasSubstr(": 0: node4; 2: node[1-3]"));
    EXPECT_THAT(only("ports-differ"_id).hosts, ElementsAre("node4"));
    hosts[2].devices.clear();
    EXPECT_THAT(ids(), IsEmpty()) << "half of them: no kind is the usual one";
    hosts[2] = hosts[1], hosts[2].host = "node3", hosts[3].devices = {host(4).devices[0]};
    hosts[3].devices[0].board_id = std::string("MT_0000000030");
    hosts.erase(hosts.begin() + 2);
    EXPECT_THAT(ids(), Not(Contains("ports-differ"_id))) << "another kind of card";
}

TEST_F(MergeTest, ExpectedHostWithoutAReportIsAWarning)
{
    hosts[0].host = "node1.example.org";
    const std::vector<std::string> all{"node1", "node2.example.org", "node3", "node4", "node5", "node6.example.org"};
    const auto merged = merge(hosts, all);
    ASSERT_EQ(merged.troubles.size(), 1U);
    EXPECT_EQ(seen(merged.troubles[0]), "expected hosts without a report: node5, node6.example.org");
    EXPECT_THAT(merged.troubles[0].hosts, ElementsAre("node5", "node6.example.org"));
}

TEST_F(MergeTest, DifferentModesAreOneFinding)
{
    interface(2).mode = TransportMode::connected;
    interface(2).mtu = 65520;
    EXPECT_THAT(seen(only("mode-differs"_id)), HasSubstr("connected: node2; datagram: node[1,3-4]"));
}

TEST_F(MergeTest, InterfaceThatIsDownIsNotCompared)
{
    interface(2).mtu = 1500;
    interface(2).up = false;
    EXPECT_THAT(ids(), IsEmpty());
    interface(2).up = true;
    interface(2).pkey = PKey::from(0x8002); // another partition
    EXPECT_THAT(ids(), IsEmpty());
    interface(2).pkey = PKey::from(0x7fff); // the same partition
    EXPECT_THAT(ids(), ElementsAre("mtu-differs"_id));
    port(2).state = PortState::down;
    EXPECT_THAT(ids(), ElementsAre("port-state-differs"_id));
    port(2).state = PortState::active;
    set_prefix(2, rack_gid); // another subnet
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MergeTest, PortsOfOneHostAreNotCompared)
{
    hosts.resize(1);
    auto second = port(1);
    second.number = 2;
    second.interfaces = {netdev("ib1", 0xffff)};
    second.interfaces[0].mtu = 1500;
    second.guid = Guid{7};
    hosts[0].devices[0].ports.push_back(second);
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MergeTest, OnlyLimitedMembersAreAWarning)
{
    for (const auto n : {1U, 2U, 3U, 4U}) port(n).pkeys = std::vector<PKeyEntry>{{0, test::pkey(0x7fff)}};
    const auto t = only("limited-members"_id);
    EXPECT_EQ(t.severity, Severity::warning);
    EXPECT_THAT(seen(t),
                HasSubstr("partition 0xffff of the subnet 0xfe80000000000000 (SM LID 1): limited members: node[1-4]"));
    port(4).pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}};
    EXPECT_EQ(only("limited-members"_id).severity, Severity::note) << "beside a full member it may be meant";
    port(3).pkeys = port(2).pkeys = port(4).pkeys;
    EXPECT_THAT(ids(), IsEmpty());
    port(3).pkeys = port(2).pkeys = Read<std::vector<PKeyEntry>>();
    EXPECT_THAT(ids(), IsEmpty()) << "a table that was not read says nothing";
}

TEST_F(MergeTest, SameGuidIsAnError)
{
    hosts[2].devices[0].node_guid = hosts[1].devices[0].node_guid;
    port(3).guid = port(2).guid;
    const auto t = only("same-guid"_id);
    EXPECT_EQ(t.severity, Severity::error);
    EXPECT_EQ(seen(t), "several hosts have the same GUID: node[2-3]: 0002:c903:0000:0020, 0002:c903:0000:0021");
    for (auto &h : hosts) h.devices[0].node_guid = h.devices[0].ports[0].guid = Guid{};
    EXPECT_THAT(ids(), IsEmpty()) << "zero is none; each host's own doctor tells";
}

TEST_F(MergeTest, SameHostNameIsReported)
{
    hosts[3].host = "node1";
    const auto t = only("same-host-name"_id);
    EXPECT_THAT(seen(t), HasSubstr("node1: node1.json, node4.json"));
    EXPECT_EQ(merge(hosts).hosts, 4U);
    interface(4).mtu = 1500;
    EXPECT_THAT(ids(), ElementsAre("same-host-name"_id, "mtu-differs"_id));
    EXPECT_THAT(seen(all()[1]), HasSubstr("1500: node1 (node4.json); 2044: node1 (node1.json), node[2-3]"));
}

TEST_F(MergeTest, LastFileOfAMachineIsUsed)
{
    auto later = host(1);
    interface(1).mtu = 1500;
    later.file = "later.json";
    hosts.push_back(later);
    EXPECT_THAT(ids(), IsEmpty());
    EXPECT_EQ(merge(hosts).hosts, 4U);
}

TEST_F(MergeTest, SameNodeDescriptionIsReported)
{
    for (const auto n : {0U, 1U})
        hosts[n].devices[0].description = std::string("MT25408 ConnectX Mellanox Technologies");
    EXPECT_THAT(seen(only("same-description"_id)), HasSubstr("'MT25408 ConnectX Mellanox Technologies': node[1-2]"));
    hosts[0].devices[0].ports[0].layer = LinkLayer::roce;
    EXPECT_THAT(ids(), IsEmpty()) << "nobody looks at it on Ethernet";
}

TEST_F(MergeTest, DifferentSubnetManagersAreReported)
{
    port(4).sm_lid = 7U;
    EXPECT_THAT(seen(only("sm-differs"_id)),
                HasSubstr("prefix 0xfe80000000000000 have different subnet managers: SM LID 7: node4; 1: node[1-3]"));
    port(4).lid = 1U; // a LID of another host: certainly another fabric
    EXPECT_THAT(ids(), IsEmpty());
    for (const auto n : {1U, 2U, 3U, 4U}) set_prefix(n, rack_gid);
    EXPECT_THAT(ids(), ElementsAre("sm-differs"_id, "subnets-alike"_id)) << "with a prefix of its own it is one subnet";
}

TEST_F(MergeTest, TwoRailsWithTheDefaultPrefixAreTwoFabrics)
{
    for (unsigned n = 1; n <= 4; n++) {
        auto second = port(n);
        second.number = 2;
        second.guid = Guid{second.guid->value + 1};
        second.lid = 100 + n;
        second.sm_lid = 100U;
        second.info = PortInfo{.mtu = 2048, .max_mtu = 2048};
        second.interfaces = {netdev("ib1", 0xffff)};
        second.interfaces[0].mtu = 1500;
        hosts[n - 1].devices[0].ports.push_back(second);
    }
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MergeTest, FabricsWithTheSameIdAreNotCompared)
{
    port(3).lid = 1U;
    interface(3).mtu = 1500;
    port(3).info = PortInfo{.mtu = 2048, .max_mtu = 2048};
    const auto t = only("subnets-alike"_id);
    EXPECT_EQ(t.severity, Severity::note) << "the default prefix is common";
    EXPECT_THAT(seen(t), HasSubstr("node1 mlx5_0/1, node3 mlx5_0/1 have one LID"));
    hosts[2].devices[0].system_guid = hosts[0].devices[0].system_guid; // a virtual function of the card, in a guest
    EXPECT_THAT(ids(), ElementsAre("port-mtu-differs"_id, "mtu-differs"_id));
}

TEST_F(MergeTest, HostsWithoutACommonPKeyAreReported)
{
    port(3).pkeys = port(4).pkeys = std::vector<PKeyEntry>{{0, test::pkey(0x7fff)}, {1, test::pkey(0x8003)}};
    EXPECT_THAT(ids(), Not(Contains("no-common-pkey"_id))) << "0xffff and 0x7fff: one is a full member";
    port(1).pkeys = port(2).pkeys = std::vector<PKeyEntry>{{0, test::pkey(0x7fff)}, {1, test::pkey(0x8002)}};
    EXPECT_THAT(ids(), Contains("no-common-pkey"_id));
    for (auto &h : hosts) { // each host also has a port with the keys of the others
        auto second = h.devices[0];
        second.name = "mlx5_1", second.node_guid->value += 8;
        second.ports[0].guid->value += 8, second.ports[0].pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}};
        h.devices.push_back(second);
    }
    EXPECT_THAT(ids(), Not(Contains("no-common-pkey"_id))) << "one port is enough";
}

TEST_F(MergeTest, DifferentPortMtusAreReported)
{
    port(2).info = PortInfo{.mtu = 2048, .max_mtu = 4096};
    EXPECT_THAT(seen(only("port-mtu-differs"_id)), HasSubstr("2048: node2; 4096: node[1,3-4]"));
    port(2).info = Read<PortInfo>(); // not run by root
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MergeTest, DifferentFirmwareIsReported)
{
    hosts[1].devices[0].firmware = std::string("16.26.4012");
    const auto t = only("firmware-differs"_id);
    EXPECT_THAT(seen(t),
                HasSubstr("MT_0000000010 have different firmware: 16.26.4012: node2; 16.35.2000: node[1,3-4]"));
    EXPECT_THAT(t.hosts, ElementsAre("node2"));
    hosts[1].devices[0].board_id = std::string("MT_0000000011");
    EXPECT_THAT(ids(), IsEmpty()) << "another board";
}

TEST_F(MergeTest, DifferentRoceVersionsAreReported)
{
    hosts = {roce_host(1), roce_host(2), roce_host(3)};
    EXPECT_THAT(ids(), IsEmpty());
    port(3).roce_mode = std::string("IB/RoCE v1");
    EXPECT_THAT(seen(only("roce-mode-differs"_id)),
                HasSubstr("mlx5_0/1 use different RoCE versions: IB/RoCE v1: node3"));
    port(3).roce_mode = std::string("RoCE v2");
    EXPECT_THAT(ids(), IsEmpty());
    port(3).roce_mode = Read<std::string>();
    std::erase_if(*port(3).gids, [](const GidEntry &e) { return e.type == "RoCE v2"; });
    EXPECT_THAT(ids(), ElementsAre("roce-mode-differs"_id));
}

TEST_F(MergeTest, DifferentRoceGidIndicesAreReported)
{
    hosts = {roce_host(1), roce_host(2), roce_host(3)};
    port(2).gids->back().index = 5;
    EXPECT_THAT(seen(only("roce-gid-differs"_id)), HasSubstr("5: node2; 3: node[1,3]"));
    hosts[1].devices[0].board_id = std::string("MT_0000000011");
    EXPECT_THAT(ids(), IsEmpty()) << "another kind of host";
}

TEST_F(MergeTest, DifferentRoceMtusAreReported)
{
    hosts = {roce_host(1), roce_host(2), roce_host(3)};
    interface(1).mtu = 1500;
    EXPECT_THAT(seen(only("roce-mtu-differs"_id)), HasSubstr("1500: node1; 9000: node[2-3]"));
}

TEST_F(MergeTest, FindingsOfTheHostsAreMerged)
{
    for (unsigned n = 1; n <= 8; n++) {
        HostReport r{.host = "node" + std::to_string(n)};
        r.findings = {
            {"same-subnet"_id, "ib0", "ib0 and ib1 are both in the IP subnet 10.0.0.0/24", Severity::warning}};
        hosts.push_back(r);
    }
    hosts.back().findings.push_back({"no-subnet-manager"_id, "mlx5_0/1", "no manager", Severity::error});
    const auto found = all();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_THAT(seen(found[0]), HasSubstr("no-subnet-manager: node8 mlx5_0/1; the first report: no manager"));
    EXPECT_EQ(found[0].severity, Severity::error);
    EXPECT_THAT(seen(found[1]),
                HasSubstr("same-subnet: node1 ib0, node2 ib0, node3 ib0, node4 ib0, node5 ib0 and 3 more;"));
    EXPECT_EQ(found[1].hosts.size(), 8U);
    EXPECT_EQ(merge(hosts).hosts, 8U);
}

TEST_F(MergeTest, EveryKindNamesThePlace)
{
    for (const auto &kind : catalogue::merge_kinds)
        EXPECT_THAT(std::string(kind.seen) + kind.why + kind.mend, HasSubstr("{where}")) << kind.id;
    EXPECT_GE(std::size(catalogue::merge_kinds), 14U);
}

TEST(Listed, HostsAreListedLikeSlurm)
{
    using merging::listed;
    EXPECT_EQ(listed({"node0010", "node0001", "node0002", "node0003", "login1"}, untranslated),
              "login1, node[0001-0003,0010]");
    EXPECT_EQ(listed({"node9", "node10", "node11", "n1-ib2", "n2-ib2"}, untranslated),
              "n1-ib2, n2-ib2, node9, node[10-11]");
    EXPECT_EQ(listed({"node1 ib0", "node2 ib0"}, untranslated), "node1 ib0, node2 ib0");
    EXPECT_EQ(listed({"0002:c903:000a:0001", "0002:c903:000a:0002"}, untranslated),
              "0002:c903:000a:0001, 0002:c903:000a:0002");
    merging::Names all;
    for (int i = 1; i <= 1709; i++) all.push_back(fmt::format("node{:04}", i));
    EXPECT_EQ(listed(all, untranslated), "node[0001-1709]");
    EXPECT_EQ(listed({"a1", "b1", "c1", "d1", "e1", "f1", "99999999999999999999999"}, untranslated),
              "99999999999999999999999, a1, b1, c1, d1 and 2 more");
}

} // namespace
} // namespace nmib
