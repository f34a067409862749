// SPDX-License-Identifier: LGPL-2.1-or-later
// The output of `port --json` is read back unchanged. Other input is refused, and the error names the place.
#include "verbs/doctor/merge/host_report.hpp"

#include "core/merge/difference.hpp"
#include "make.hpp"
#include "terminal/json.hpp"
#include "verbs/port/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using testing::HasSubstr;

Inventory inventory()
{
    Inventory all;
    RdmaDevice d{.name = "mlx5_0"};
    d.board_id = std::string("MT_0000000010");
    d.firmware = std::string("16.35.2000");
    d.description = std::string("node1 mlx5_0");
    d.node_guid = Guid{0x0002c90300000010};
    d.system_guid = Guid{0x0002c90300000013};
    RdmaPort p{.number = 1};
    p.layer = LinkLayer::infiniband;
    p.state = PortState::active;
    p.guid = Guid{0x0002c90300000011};
    p.lid = 3U;
    p.sm_lid = 1U;
    p.info = PortInfo{.mtu = 2048, .max_mtu = 4096};
    p.pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}, {3, test::pkey(0x0002)}};
    p.gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0002:c903:0000:0011", "", ""}};
    PortNetdev n{.name = test::ifname("ib0")};
    n.infiniband = n.up = true;
    n.mtu = 2044;
    n.mode = TransportMode::datagram;
    n.pkey = PKey::from(0xffff);
    p.interfaces = {n};
    RdmaPort q{.number = 2};
    q.layer = LinkLayer::roce;
    q.state = PortState::down;
    q.roce_mode = std::string("RoCE v2");
    d.ports = {p, q};
    all.devices = {d};
    return all;
}

TEST(HostReport, JsonOfPortIsReadBack)
{
    const auto report = parse_host_report(json_of(inventory()).dump());
    ASSERT_TRUE(report) << report.error().what;
    EXPECT_FALSE(report->host.empty());
    EXPECT_TRUE(report->has_ports);
    ASSERT_EQ(report->devices.size(), 1U);
    const auto &d = report->devices[0];
    EXPECT_EQ(*d.board_id, "MT_0000000010");
    EXPECT_EQ(*d.firmware, "16.35.2000");
    EXPECT_EQ(*d.description, "node1 mlx5_0");
    EXPECT_EQ(d.node_guid->value, 0x0002c90300000010U);
    EXPECT_EQ(d.system_guid->value, 0x0002c90300000013U);
    EXPECT_FALSE(d.physical_function);
    ASSERT_EQ(d.ports.size(), 2U);
    const auto &p = d.ports[0];
    EXPECT_EQ(*p.layer, LinkLayer::infiniband);
    EXPECT_EQ(*p.state, PortState::active);
    EXPECT_EQ(p.guid->value, 0x0002c90300000011U);
    EXPECT_EQ(*p.lid, 3U);
    EXPECT_EQ(*p.sm_lid, 1U);
    EXPECT_EQ(p.info->mtu, 2048U);
    ASSERT_EQ(p.pkeys->size(), 2U);
    EXPECT_EQ(p.pkeys->at(1).key, test::pkey(0x0002));
    EXPECT_EQ(*subnet_prefix(p), default_prefix);
    ASSERT_EQ(p.interfaces.size(), 1U);
    const auto &n = p.interfaces[0];
    EXPECT_EQ(n.name.view(), "ib0");
    EXPECT_EQ(n.mtu, 2044U);
    EXPECT_EQ(n.mode, TransportMode::datagram);
    EXPECT_EQ(n.pkey, PKey::from(0xffff));
    EXPECT_TRUE(n.infiniband && n.up && !n.carrier);
    EXPECT_EQ(*d.ports[1].layer, LinkLayer::roce);
    EXPECT_EQ(*d.ports[1].state, PortState::down);
    EXPECT_EQ(*d.ports[1].roce_mode, "RoCE v2");
    EXPECT_FALSE(d.ports[1].pkeys);
}

TEST(HostReport, FindingsOfAHostAreRead)
{
    const auto report = parse_host_report(R"({"schema":1,"host":"a","version":"9","findings":[{"id":"x","severity":)"
                                          R"("warning","where":"ib0","seen":"y","new":[1]},{"id":"z"}]})");
    ASSERT_TRUE(report) << report.error().what;
    EXPECT_FALSE(report->has_ports);
    ASSERT_EQ(report->findings.size(), 2U);
    EXPECT_EQ(report->findings[0].severity, Severity::warning);
    EXPECT_EQ(report->findings[1].severity, Severity::error);
}

struct Bad {
    const char *text, *why;
};
class Refused : public testing::TestWithParam<Bad>
{
};

TEST_P(Refused, ReportIsRefusedWithThePlace)
{
    const auto report = parse_host_report(GetParam().text);
    ASSERT_FALSE(report);
    EXPECT_THAT(report.error().what, HasSubstr(GetParam().why));
    EXPECT_EQ(report.error().what.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    HostReport, Refused,
    testing::Values(
        Bad{"", "not the JSON of"}, Bad{"[]", "not the JSON of"}, Bad{"{", "not the JSON of"},
        Bad{R"({"schema":1})", "not the JSON of"}, Bad{R"({"schema":1,"host":"a"})", "not the JSON of"},
        Bad{R"({"schema":1,"host":"a","ports":[]} x)", "not the JSON of"},
        Bad{"{\"schema\":1,\"host\":\"\xff\",\"ports\":[]}", "not the JSON of"},
        Bad{R"({"schema":2,"host":"a","ports":[]})", "schema 2, but this nm-ib reads schema 1"},
        Bad{R"({"schema":null,"host":"a","ports":[]})", "schema cannot be parsed"},
        Bad{R"({"schema":-1,"host":"a","ports":[]})", "schema cannot be parsed"},
        Bad{R"({"schema":1,"host":7,"ports":[]})", "host cannot be parsed"},
        Bad{R"({"schema":1,"host":"","ports":[]})", "host cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","ports":{}})", "ports cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","ports":[1]})", "ports[0] cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","hcas":[{}],"ports":[]})", "hcas[0].name cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","hcas":[{"name":"m","node_guid":"0x1"}],"ports":[]})",
            "hcas[0].node_guid cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","hcas":[],"ports":[{"hca":"m","number":1}]})", "ports[0].hca cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","hcas":[{"name":"m"}],"ports":[{"hca":"m","number":0}]})",
            "ports[0].number cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","hcas":[{"name":"m"}],"ports":[{"hca":"m","number":1,"lid":65536}]})",
            ".lid cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","hcas":[{"name":"m"}],"ports":[{"hca":"m","number":1,"state":"active"}]})",
            ".state cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","hcas":[{"name":"m"}],"ports":[{"hca":"m","number":1,"p_keys":[{"index":0}]}]})",
            "ports[0].p_keys[0].p_key cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","hcas":[{"name":"m"}],"ports":[{"hca":"m","number":1,"interfaces":)"
            R"([{"interface":"a/b"}]}]})",
            "ports[0].interfaces[0].interface cannot be parsed"},
        Bad{R"({"schema":1,"host":"a","findings":[{"severity":"error"}]})", "findings[0].id cannot be parsed"}));

TEST(HostReport, DeepNestingIsRefused)
{
    EXPECT_FALSE(parse_host_report(std::string(1U << 20, '[')));
    EXPECT_FALSE(
        parse_host_report(R"({"schema":1,"host":"a","ports":)" + std::string(100, '[') + std::string(100, ']') + "}"));
    EXPECT_TRUE(parse_host_report(R"({"schema":1,"host":"a","x":")" + std::string(100, '[') + R"(\"[","ports":[]})"));
}

} // namespace
} // namespace nmib::cli
