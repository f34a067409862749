// SPDX-License-Identifier: LGPL-2.1-or-later
// What is expected from a good machine is not found missing there; what changes is reported as itself, and alone.
#include "core/doctor/expect.hpp"
#include "doctor/world.hpp"
#include "tree.hpp"
#include "verbs/doctor/expect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

/// A world with everything that can be expected.
World good()
{
    World w;
    for (auto &device : w.host.devices) {
        device.firmware = std::string("28.39.1002"), device.board_id = std::string("MT_0000000838");
        device.ports[0].manager = SubnetManager{.guid = Guid{0x0002c9030000aaaa}};
    }
    return w;
}

std::vector<std::string> compared(const Host &host, const Expected &expected)
{
    std::vector<std::string> all;
    for (const auto &t : compare(host, expected)) all.push_back(std::string(t.kind->id) + " " + seen(t));
    return all;
}

TEST(ExpectTest, GoodMachineIsAsExpected)
{
    const auto expected = present(good().host);
    EXPECT_EQ(expected.at("mlx5_0").at("firmware"), "28.39.1002");
    EXPECT_EQ(expected.at("mlx5_0/1").at("state"), "Active");
    EXPECT_EQ(expected.at("ib0.8002").at("p_key"), "0x8002");
    for (const auto &[where, values] : expected) EXPECT_FALSE(impossible_line(where, values)) << where;
    EXPECT_THAT(compared(good().host, expected), IsEmpty());
}

TEST(ExpectTest, EachChangeIsReportedAlone)
{
    struct Change {
        std::function<void(World &)> change;
        const char *reported;
    };
    const Change changes[] = {
        {[](World &w) { w.host.devices.pop_back(); }, "expected-missing mlx5_1 is expected, and is not there"},
        {[](World &w) { w.device(1).ports.clear(); }, "expected-missing mlx5_1/1 is expected, and is not there"},
        {[](World &w) { w.port(0).interfaces.pop_back(); }, "expected-missing ib0.8002 is expected, and is not there"},
        {[](World &w) { w.port(1).state = PortState::down, w.port(1).interfaces[0].carrier = false; },
         "expected-differs mlx5_1/1: state is Down, and Active is expected"},
        {[](World &w) {
             w.port(0).rate = PortRate{100000, "1X NDR"};
         },
         "expected-differs mlx5_0/1: rate is 100 Gb/s 1X NDR, and 400 Gb/s 4X NDR is expected"},
        {[](World &w) { w.port(0).info->mtu = 2048; },
         "expected-differs mlx5_0/1: mtu_active is 2048, and 4096 is expected"},
        {[](World &w) {
             w.port(0).manager = Read<SubnetManager>(Error{Error::Kind::io, "silent"});
         },
         "expected-differs mlx5_0/1: subnet_manager is no, and 0002:c903:0000:aaaa is expected"},
        {[](World &w) { w.port(0).manager->guid = Guid{0xbbbb}; },
         "expected-differs mlx5_0/1: subnet_manager is 0000:0000:0000:bbbb, and 0002:c903:0000:aaaa is expected"},
        {[](World &w) { w.device(0).firmware = std::string("28.40.1000"); },
         "expected-differs mlx5_0: firmware is 28.40.1000, and 28.39.1002 is expected"},
        {[](World &w) { w.port(0).interfaces[0].mtu = 1500; }, "expected-differs ib0: mtu is 1500, and 0 is expected"},
        {[](World &w) { w.port(0).interfaces[0].mode = TransportMode::connected; },
         "expected-differs ib0: mode is connected, and datagram is expected"},
        {[](World &w) { w.port(0).interfaces[0].up = w.port(0).interfaces[0].carrier = false; },
         "expected-differs ib0: up is no, and yes is expected"},
        {[](World &w) { w.port(1).layer = LinkLayer::roce; },
         "expected-differs mlx5_1/1: link_layer is RoCE, and InfiniBand is expected"},
        {[](World &w) { w.port(0).interfaces[0].carrier = false; },
         "expected-differs ib0: carrier is no, and yes is expected"},
    };
    auto expected = present(good().host);
    for (const auto &c : changes) {
        auto w = good();
        c.change(w);
        EXPECT_THAT(compared(w.host, expected), ElementsAre(c.reported));
    }
}

TEST(ExpectTest, SubnetManagerIsOneOfAList)
{
    auto w = good();
    for (const auto *good_list : {"yes", "0002:c903:0000:aaaa", "0000:0000:0000:0001 0002:c903:0000:aaaa"})
        EXPECT_THAT(compared(w.host, {{"mlx5_0/1", {{"subnet_manager", good_list}}}}), IsEmpty()) << good_list;
    w.port(0).manager = Read<SubnetManager>(); // not root
    EXPECT_THAT(compared(w.host, {{"mlx5_0/1", {{"subnet_manager", "0000:0000:0000:0001"}}}}), IsEmpty());
    EXPECT_THAT(compared(w.host, {{"mlx5_0/1", {{"rate", "400 Gb/s"}}}}), IsEmpty()) << "with any lanes";
}

TEST(ExpectTest, UnreadValueIsNotCompared)
{
    auto w = good();
    const auto expected = present(w.host);
    w.port(0).info = Read<PortInfo>(Error{Error::Kind::denied, "only root"});
    EXPECT_THAT(compared(w.host, expected), IsEmpty());
}

TEST(ExpectTest, PortsAreCounted)
{
    const auto four_hundred = ExpectedPorts::parse("2@400");
    ASSERT_TRUE(four_hundred);
    auto w = good();
    EXPECT_THAT(compare(w.host, *four_hundred), IsEmpty());
    w.port(1).rate = PortRate{200000, "2X NDR"};
    ASSERT_EQ(compare(w.host, *four_hundred).size(), 1U);
    EXPECT_EQ(
        seen(compare(w.host, *four_hundred)[0]),
        "too few active ports: 2 with at least 400 Gb/s are expected; found: 1; others: mlx5_1/1 (200 Gb/s 2X NDR)");
    w.host.devices.clear();
    EXPECT_EQ(seen(compare(w.host, *four_hundred)[0]),
              "too few active ports: 2 with at least 400 Gb/s are expected; found: 0");
    for (const auto *bad : {"", "@", "8@", "@400", "0@400", "8@0", "8@x", "8 @400", "-1@400", "8@400Gb", "4097@1"})
        EXPECT_FALSE(ExpectedPorts::parse(bad)) << bad;
}

TEST(ExpectFileTest, FileOfAGoodMachineIsReadBack)
{
    const Tree tree;
    auto w = good();
    w.host.devices[0].board_id = std::string("a\\b");
    w.port(1).state = PortState::down;
    const auto text = cli::expectation_file(w.host);
    tree.file("good", text);
    EXPECT_THAT(text, testing::HasSubstr(
                          "[mlx5_0/1]\nlink_layer=InfiniBand\nmtu_active=4096\nrate=400 Gb/s 4X NDR\nstate=Active\n"
                          "subnet_manager=yes\n"));
    EXPECT_THAT(text, testing::EndsWith("[mlx5_1/1]\nlink_layer=InfiniBand\n"));
    const auto expected = cli::parse_expectations({tree.path() + "/good", "1@400"});
    ASSERT_TRUE(expected);
    EXPECT_THAT(cli::compare(w.host, *expected), IsEmpty());
    EXPECT_EQ(cli::compare(Host{}, *expected).size(), 3U) << "two cards, and the number of ports";
}

TEST(ExpectFileTest, GroupWithoutKeysExpectsTheCard)
{
    const Tree tree;
    tree.file("cards", "[mlx5_0]\n[mlx5_7]\n");
    const auto expected = cli::parse_expectations({tree.path() + "/cards"});
    ASSERT_TRUE(expected);
    const auto found = cli::compare(good().host, *expected);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].where, "mlx5_7");
}

TEST(ExpectFileTest, ValueThatNoMachineHasIsNamed)
{
    const std::map<std::string, std::vector<const char *>> wrong{
        {"mlx5_0", {"firmware=", "board_id="}},
        {"mlx5_0/1",
         {"link_layer=Infiniband", "state=ACTIVE", "rate=400", "rate=400 Gb/sec", "rate=400 Gb/sec (4X NDR)",
          "rate=fast", "rate= Gb/s", "rate=400.0 Gb/s 4X NDR", "rate=400 Gb/s 4X NDR # good", "mtu_active=4k",
          "mtu_active=04096", "subnet_manager=", "subnet_manager=maybe"}},
        {"ib0",
         {"port=mlx5_0", "up=true", "carrier=Yes", "p_key=8001", "p_key=0x8001 ", "p_key=32769", "mode=ud",
          "mode=Datagram", "mtu=auto", "mtu=-1"}}};
    for (const auto &[where, lines] : wrong)
        for (const std::string line : lines) {
            const auto equals = line.find('=');
            EXPECT_EQ(impossible_line(where, {{line.substr(0, equals), line.substr(equals + 1)}}), line);
        }
    for (const auto *rate : {"400 Gb/s 4X NDR", "2.5 Gb/s 1X", "100 Gb/s"})
        EXPECT_FALSE(impossible_line("mlx5_0/1", {{"rate", rate}})) << rate;
    const Tree tree;
    tree.file("wrong", "[ib0]\nup=yes\nmtu=auto\n");
    const auto read = cli::parse_expectations({tree.path() + "/wrong"});
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().what, testing::HasSubstr("/wrong: [ib0]: mtu=auto: "));
}

TEST(ExpectFileTest, WrongFileIsRefused)
{
    const Tree tree;
    for (const auto *wrong : {"", "# nothing\n", "rate=1\n", "[mlx5_0/1]\nspeed=1\n", "[mlx5_0/1]\nfirmware=1\n",
                              "[mlx5_0]\nfirmware=1\nmtu=1\n", "[mlx5_0/1]\nstate=ACTIVE\n",
                              "[mlx5_0/1]\nsubnet_manager=maybe\n", "[mlx5_0\n", "{}"}) {
        tree.file("wrong", wrong);
        EXPECT_FALSE(cli::parse_expectations({tree.path() + "/wrong"})) << wrong;
    }
    EXPECT_FALSE(cli::parse_expectations({tree.path() + "/absent"}));
    for (const auto *wrong : {"0@400", "8@", "8@400G"}) EXPECT_FALSE(cli::parse_expectations({wrong})) << wrong;
}

} // namespace
} // namespace nmib
