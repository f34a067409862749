// SPDX-License-Identifier: LGPL-2.1-or-later
// Worlds that look like a cause, and are none: doctor finds nothing there.
#include "doctor/world.hpp"
#include "id.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Cause twins[] = {
    {"machine for verbs only", "no IPoIB",
     [](World &w) {
         w.without_interfaces(), w.module("ib_ipoib", State::missing), w.host.profiles.clear(), w.host.wanted.clear();
     },
     "", "", ""},
    {"module", "loaded although no list has it", [](World &w) { w.module("ib_umad", State::loaded); }, "", "", ""},
    {"rdma_ucm", "not loaded, and no librdmacm",
     [](World &w) { w.module("rdma_ucm", State::loadable), w.host.has_cm_library = false; }, "", "", ""},
    {"mlx4_ib", "not needed, and the module of another program is refused",
     [](World &w) {
         w.module("mlx4_ib", State::loadable);
         w.log("Loading of unsigned module is rejected");
     },
     "", "", ""},
    {"mlx4_core", "not loaded, and not needed", [](World &w) { w.module("mlx4_core", State::loadable); }, "", "", ""},
    {"module", "unknown in a container", [](World &w) { w.module("ib_umad", State::unknown); }, "", "", ""},
    {"link", "an older switch",
     [](World &w) {
         w.port(0).info->active = edr, w.port(0).rate = PortRate{100000, "4X EDR"};
         w.port(0).peer = PortInfo{4096, 4096, edr, edr, edr};
     },
     "", "", ""},
    {"link", "two lanes, as HDR100 and NDR200 have",
     [](World &w) {
         w.port(0).info = Read<PortInfo>(), w.port(0).rate = PortRate{200000, "2X NDR"};
         w.port(1).info->active = {2, LaneSpeed::ndr}, w.port(1).rate = PortRate{200000, "2X NDR"};
         w.port(1).peer = w.port(0).info ? w.port(0).info : Read<PortInfo>(PortInfo{4096, 4096, ndr, ndr, ndr});
     },
     "", "", ""},
    {"link", "12 lanes announced",
     [](World &w) {
         w.port(0).info->supported.lanes = 12, w.port(0).peer = PortInfo{4096, 4096, ndr, ndr, ndr};
     },
     "", "", ""},
    {"link", "FDR10, which PortInfo calls QDR",
     [](World &w) {
         w.port(0).info = PortInfo{4096, 4096, {4, LaneSpeed::qdr}, {4, LaneSpeed::fdr10}, {4, LaneSpeed::fdr10}};
         w.port(0).peer = w.port(0).info;
         w.port(0).rate = PortRate{41000, "4X FDR10"};
     },
     "", "", ""},
    {"link", "down",
     [](World &w) {
         w.host.wanted.erase("ib1"), w.host.profiles.pop_back();
         w.port(1).state = PortState::down, w.port(1).phys_state = PhysState::polling;
         w.port(1).info->active = {1, LaneSpeed::sdr}, w.port(1).interfaces[0].carrier = false;
     },
     "", "", ""},
    {"counter", "old and still",
     [](World &w) { w.port(0).counters["link_downed"] = 200, w.host.counters.clear(), w.look(0), w.look(7200); }, "",
     "", ""},
    {"counter", "not there", [](World &w) { w.port(0).counters.clear(), w.look(7200); }, "", "", ""},
    {"counter", "errors, fewer than 10",
     [](World &w) { w.look(3600), w.port(0).counters["symbol_error"] += 9, w.look(7200); }, "", "", ""},
    {"counter", "errors that are older than 12 hours",
     [](World &w) {
         w.look(3600), w.port(0).counters["symbol_error"] += 100, w.look(7200);
         w.look(14 * 3600 + 1800);
     },
     "", "", ""},
    {"counter", "a link that went down twice in 12 hours, and four times in a day",
     [](World &w) {
         for (int hour = 1; hour <= 24; hour++) {
             if (hour % 6 == 1) w.port(0).counters["link_downed"]++;
             w.look(hour * 3600);
         }
     },
     "", "", ""},
    {"counter", "a link that went down three times, once more than 12 hours ago",
     [](World &w) {
         for (int hour = 1; hour <= 24; hour++) {
             if (hour == 12 || hour == 13 || hour == 20) w.port(0).counters["link_downed"]++;
             if (hour < 24) w.look(hour * 3600);
         }
         w.look(24 * 3600 + 1800);
     },
     "", "", ""},
    {"counter", "of a port of another type, full",
     [](World &w) {
         w.host.devices.push_back(w.card(2));
         w.port(2).layer = LinkLayer::roce, w.port(2).interfaces.clear(), w.port(2).manager = {};
         w.port(2).counters["symbol_error"] = 0xffff;
     },
     "", "", ""},
    {"PCI", "a narrow link of a function of NVSwitches",
     [](World &w) {
         w.host.profiles.pop_back(), w.host.wanted.erase("ib1");
         w.device(1).is_fabric_managed = true, w.port(1).interfaces.clear();
         w.device(1).pci_path[0].current = {8000, 4};
     },
     "", "", ""},
    {"counter", "nearly full, or full for a shorter one",
     [](World &w) {
         w.port(0).counters = {{"link_downed", 0xffff},
                               {"link_error_recovery", 0xfe},
                               {"symbol_error", 0xff},
                               {"port_rcv_errors", 0xfffe}};
         w.host.counters.clear();
     },
     "", "", ""},
    {"link", "eight lanes of two ends that have more than four",
     [](World &w) {
         w.port(0).info = PortInfo{4096, 4096, {8, LaneSpeed::ndr}, {12, LaneSpeed::ndr}, {12, LaneSpeed::ndr}};
         w.port(0).peer = w.port(0).info, w.port(0).rate = PortRate{800000, "8X NDR"};
     },
     "", "", ""},
    {"link", "one lane, and the other end has no more",
     [](World &w) {
         w.port(0).info->active = {1, LaneSpeed::ndr}, w.port(0).rate = PortRate{100000, "1X NDR"};
         w.port(0).peer = PortInfo{4096, 4096, {1, LaneSpeed::ndr}, {1, LaneSpeed::ndr}, {1, LaneSpeed::ndr}};
     },
     "", "", ""},
    {"counter", "reset",
     [](World &w) {
         w.port(0).counters["symbol_error"] = 60000, w.look(600), w.port(0).counters["symbol_error"] = 0,
         w.host.counters.erase(w.host.counters.begin()), w.look(7200);
     },
     "", "", ""},
    {"PCI", "a slot that can no more",
     [](World &w) {
         for (auto &hop : w.device(0).pci_path) hop.current = {8000, 8};
         w.device(0).pci_path[1].maximum = {8000, 8};
     },
     "", "", ""},
    {"PCI", "unknown", [](World &w) { w.device(0).pci_path[0].current = PciLink::parse("Unknown", "0"); }, "", "", ""},
    {"PCI", "a switch between two links of different width",
     [](World &w) {
         w.device(0).pci_path.push_back({"0000:00:03.0", {16000, 8}, {16000, 8}});
         w.device(0).pci_path.push_back({"0000:00:04.0", {16000, 8}, {32000, 16}});
     },
     "", "", ""},
    {"counter", "errors while the link came up again",
     [](World &w) {
         w.look(3600), w.port(0).counters["symbol_error"] += 64, w.port(0).counters["link_downed"]++, w.look(7200);
     },
     "", "", ""},
    {"counter", "errors while the link came up, after a look while it was down",
     [](World &w) {
         w.look(3600), w.port(0).counters["link_downed"]++, w.port(0).phys_state = PhysState::polling;
         w.look(7200), w.port(0).counters["symbol_error"] += 64, w.port(0).phys_state = PhysState::link_up;
         w.look(10800);
     },
     "", "", ""},
    {"port", "a spare function, without a profile, with its link up",
     [](World &w) {
         w.host.wanted.erase("ib1"), w.host.profiles.pop_back();
         w.port(1).state = PortState::down, w.port(1).sm_lid = 0U, w.port(1).manager = {};
         w.port(1).interfaces[0].carrier = false;
     },
     "", "", ""},
    {"port", "the unused port of two cards with a function for each port",
     [](World &w) {
         for (const auto n : {2, 3}) w.host.devices.push_back(w.card(n));
         w.device(2).bus = "0000:05:00.1", w.device(3).bus = "0000:06:00.1";
         for (auto &d : w.host.devices) d.board_id = std::string("MT_0000000010");
         w.port(3).state = PortState::down, w.port(3).phys_state = PhysState::polling;
         w.port(3).interfaces[0].carrier = false;
     },
     "", "", ""},
    {"boot", "the carrier of an interface that was made days later",
     [](World &w) {
         w.host.services.wait_online_end = 9'000'000U;
         w.host.services.log.push_back(
             {400'000'000'000, "IPv6: ADDRCONF(NETDEV_CHANGE): ib0.8002: link becomes ready"});
     },
     "", "", ""},
    {"PCI", "a card whose parent is unknown, as in a guest",
     [](World &w) {
         w.device(0).pci_path.resize(1), w.device(0).pci_path[0].current = {8000, 4};
     },
     "", "", ""},
    {"device", "commands of programs that the firmware refused",
     [](World &w) {
         w.log(
             "mlx5_core 0000:05:00.0: mlx5_cmd_out_err:838:(pid 9): CREATE_MKEY(0x200) op_mod(0x0) failed, status bad "
             "parameter(0x3), syndrome (0x6231), err(-22)");
         w.log("usb 1-1: Product: mlx5_core assert_var[0]");
         w.log("Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7");
         w.log("pci 0000:05:00.0: BAR 7: failed to assign [mem size 0x00100000 64bit pref]");
     },
     "", "", ""},
    {"subnet manager", "of a virtual function in a guest",
     [](World &w) {
         w.device(0).pci_id = PciId{0x15b3, 0x101e}, w.host.has_opensm = true;
         w.port(0).lid = w.port(0).sm_lid, w.port(0).manager = Error{Error::Kind::io, "timed out"};
     },
     "", "", ""},
    {"program", "waagent without an RDMA device",
     [](World &w) {
         w = World();
         w.host.services.tools = {{"waagent", "2.9.0.4"}};
     },
     "", "", ""},
    {"cable", "plugged in again",
     [](World &w) {
         w.log("mlx5_core 0000:06:00.0: Port module event[error]: module 0, Cable error, Unknown identifier");
         w.log("mlx5_core 0000:06:00.0: Port module event: module 0, Cable plugged");
     },
     "", "", ""},
    {"cable", "unplugged from a port that no profile needs",
     [](World &w) { w.log("mlx5_core 0000:09:00.0: Port module event: module 0, Cable unplugged"); }, "", "", ""},
    {"NVSwitch", "its functions are for the fabric manager",
     [](World &w) {
         w.host.profiles.pop_back(), w.host.wanted.erase("ib1");
         w.device(1).is_fabric_managed = true;
         w.port(1).interfaces.clear();
         w.port(1).state = PortState::init, w.port(1).sm_lid = 0U, w.port(1).manager = {};
         w.log("mlx5_core 0000:06:00.0: mlx5_cmd_out_err:835:(pid 1): ACCESS_REG(0x805) op_mod(0x1) failed, status bad "
               "operation(0x2)");
     },
     "", "", ""},
};

TEST(TwinsTest, HealthyTwinsHaveNoFindings)
{
    for (const auto &twin : twins) {
        SCOPED_TRACE(std::string(twin.layer) + ": " + twin.question);
        World world;
        twin.spoil(world);
        EXPECT_THAT(ids(world.host), IsEmpty());
    }
}

TEST(TwinsTest, CardsAtOnePlaceOfTwoPciDomainsAreTwo)
{
    World world;
    world.device(1).bus = world.device(1).pci_path[0].address = "1000:05:00.0";
    for (const auto n : {0U, 1U}) world.device(n).pci_path[0].current = {8000, 4};
    const auto all = diagnose(world.host);
    ASSERT_THAT(ids(world.host), ElementsAre("pci-link-narrow"_id, "pci-link-narrow"_id));
    EXPECT_EQ(all[0].subject, "0000:05:00.0");
    EXPECT_EQ(all[1].subject, "1000:05:00.0");
}

TEST(TwinsTest, FullCounterOfEachWidthIsReported)
{
    struct Case {
        const char *counter;
        std::uint64_t value;
    };
    for (const auto &[counter, value] :
         {Case{"link_downed", 0xff}, Case{"link_error_recovery", 0xff}, Case{"link_downed", UINT32_MAX},
          Case{"symbol_error", 0xffff}, Case{"symbol_error", UINT32_MAX}, Case{"symbol_error", UINT64_MAX}}) {
        World world;
        world.port(0).counters = {{counter, value}, {"port_rcv_errors", 1}};
        world.host.counters.clear();
        ASSERT_THAT(ids(world.host), ElementsAre("counters-full"_id)) << counter;
        EXPECT_EQ(diagnose(world.host)[0].value, std::string(counter) + " " + std::to_string(value));
    }
}

TEST(TwinsTest, FiveDownsInADayAreReportedWithTheDay)
{
    World world;
    for (int hour = 1; hour <= 20; hour++) {
        if (hour % 4 == 3 && hour != 11) world.port(0).counters["link_downed"]++; // 3, 7, 15, 19
        if (hour == 5) world.port(0).counters["link_downed"]++;
        world.look(hour * 3600);
    }
    ASSERT_THAT(ids(world.host), ElementsAre("link-flaps"_id));
    EXPECT_THAT(seen(diagnose(world.host)[0]), HasSubstr("5 times in the last 24 hours"));
}

TEST(TwinsTest, LinkAtTheSpeedOfItsSettingsIsOnlyANote)
{
    World world;
    world.port(1).info->active = hdr, world.port(1).rate = PortRate{200000, "4X HDR"};
    world.port(1).info->supported.lanes = 12;
    world.port(1).peer = PortInfo{4096, 4096, hdr, hdr, {12, LaneSpeed::ndr}};
    ASSERT_THAT(ids(world.host), ElementsAre("link-limited"_id));
    EXPECT_THAT(seen(diagnose(world.host)[0]), HasSubstr("both ends support 4X NDR"));
    EXPECT_TRUE(is_healthy(diagnose(world.host)));
    world.port(1).info->active = {1, LaneSpeed::hdr}, world.port(1).rate = PortRate{50000, "1X HDR"};
    ASSERT_THAT(ids(world.host), ElementsAre("link-narrow"_id));
    EXPECT_EQ(diagnose(world.host)[0].severity, Severity::warning);
}

TEST(TwinsTest, LittlePowerIsOnlyANote)
{
    World world;
    world.log("mlx5_core 0000:05:00.0: mlx5_pcie_event:299:(pid 268269): Detected insufficient power on the PCIe slot "
              "(27W).");
    EXPECT_THAT(ids(world.host), ElementsAre("card-power-unclear"_id));
    EXPECT_TRUE(is_healthy(diagnose(world.host)));
}

} // namespace
} // namespace nmib
