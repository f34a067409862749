// SPDX-License-Identifier: LGPL-2.1-or-later
// A world for each layer and question in which just one thing is wrong: doctor reports this, its object and its
// command, and nothing else. The healthy world has no finding.
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

const Cause causes[] = {
    // modules: is it there, and why not
    {"ib_ipoib", "not loaded", [](World &w) { w.without_interfaces(), w.module("ib_ipoib", State::loadable); },
     "no-ipoib-module"_id, "ib_ipoib", "mlx5_0/1, mlx5_1/1"},
    {"ib_ipoib", "built for another kernel",
     [](World &w) { w.without_interfaces(), w.module("ib_ipoib", State::other_kernel, "6.1.0-9-amd64"); },
     "module-of-other-kernel"_id, "ib_ipoib", "6.1.0-9-amd64"},
    {"ib_ipoib", "not built", [](World &w) { w.without_interfaces(), w.module("ib_ipoib", State::missing); },
     "module-not-built"_id, "ib_ipoib", "no installed kernel"},
    {"ib_ipoib", "refused",
     [](World &w) {
         w.without_interfaces(), w.module("ib_ipoib", State::loadable);
         w.log("ib_ipoib: Unknown symbol ib_sa_join_multicast (err -22)");
     },
     "module-refused"_id, "ib_ipoib", "Unknown symbol ib_sa_join_multicast"},
    {"ib_umad", "not loaded", [](World &w) { w.module("ib_umad", State::loadable); }, "no-umad-module"_id, "ib_umad",
     "modprobe ib_umad"},
    {"ib_umad", "built for another kernel", [](World &w) { w.module("ib_umad", State::other_kernel, "5.14.0-70"); },
     "module-of-other-kernel"_id, "ib_umad", "5.14.0-70"},
    {"ib_uverbs", "not loaded", [](World &w) { w.module("ib_uverbs", State::loadable); }, "no-uverbs-module"_id,
     "ib_uverbs", "modprobe -a ib_uverbs rdma_ucm"},
    {"rdma_ucm", "not loaded", [](World &w) { w.module("rdma_ucm", State::loadable); }, "no-ucm-module"_id, "rdma_ucm",
     "modprobe rdma_ucm"},
    {"rdma_ucm", "not built", [](World &w) { w.module("rdma_ucm", State::missing); }, "module-not-built"_id, "rdma_ucm",
     "no installed kernel"},
    {"mlx4_core", "built for another kernel",
     [](World &w) {
         w.host.unbound_functions = {{"0000:07:00.0", "mlx4_core"}};
         w.module("mlx4_core", State::other_kernel, "5.14.0-70");
     },
     "module-of-other-kernel"_id, "mlx4_core", "5.14.0-70"},
    {"ib_uverbs", "not built", [](World &w) { w.module("ib_uverbs", State::missing); }, "module-not-built"_id,
     "ib_uverbs", "no installed kernel"},
    {"mlx5_ib", "not loaded", [](World &w) { w.bare(), w.module("mlx5_ib", State::loadable); }, "no-rdma-device"_id,
     "0000:07:00.0", "modprobe mlx5_ib"},
    {"mlx5_ib", "built for another kernel",
     [](World &w) { w.bare(), w.module("mlx5_ib", State::other_kernel, "6.1.0-9-amd64"); }, "module-of-other-kernel"_id,
     "mlx5_ib", "6.1.0-9-amd64"},
    // devices
    {"device", "driver failed",
     [](World &w) {
         w.bare();
         w.log("mlx5_core 0000:07:00.0: probe_one:1768:(pid 700): mlx5_init_one failed with error code -110");
     },
     "driver-failed"_id, "0000:07:00.0", "error code -110"},
    {"device", "driver failed and let go",
     [](World &w) {
         w.host.unbound_functions = {{"0000:07:00.0", "mlx5_core"}};
         w.log("mlx4_core 0000:07:00.0: Installed FW has unsupported command interface revision 2, aborting");
     },
     "driver-failed"_id, "0000:07:00.0", "unsupported command interface"},
    {"device", "no driver",
     [](World &w) {
         w.host.unbound_functions = {{"0000:07:00.0", "mlx5_core"}};
     },
     "no-driver"_id, "0000:07:00.0", "journalctl -k -g 0000:07:00.0"},
    {"device", "no driver, and another vendor's card",
     [](World &w) {
         w.host.unbound_functions = {{"0000:07:00.0", ""}};
     },
     "no-driver"_id, "0000:07:00.0", "journalctl -k -g 0000:07:00.0"},
    {"device", "hidden", [](World &w) { w.bare(), w.host.exclusive_devices = true; }, "devices-hidden"_id,
     "0000:07:00.0", "rdma dev set DEVICE netns NAME"},
    {"device", "too hot",
     [](World &w) {
         w.log("mlx5_core 0000:06:00.0: Port module event[error]: module 0, Cable error, High Temperature");
     },
     "card-hot"_id, "mlx5_1", "High Temperature"},
    {"device", "firmware refuses a command",
     [](World &w) {
         w.log("mlx5_core 0000:05:00.0: mlx5_cmd_out_err:838:(pid 9): INIT_HCA(0x102) op_mod(0x0) failed, status "
               "bad system state(0x4), syndrome (0x305684), err(-5)");
     },
     "firmware-command-failed"_id, "mlx5_0", "journalctl -k -b -g 0000:05:00.0"},
    {"device", "lost, although the module is loaded", [](World &w) { w.bare(); }, "rdma-device-lost"_id, "0000:07:00.0",
     "power the machine off"},
    {"device", "no resources left",
     [](World &w) {
         w.log("mlx5_core 0000:05:00.0: mlx5_cmd_check:794:(pid 9): ALLOC_UAR(0x802) op_mod(0x0) failed, status limits "
               "exceeded(0x8), syndrome (0x305684)");
     },
     "card-resources"_id, "mlx5_0", "PF_LOG_BAR_SIZE"},
    {"module", "built for another RDMA stack",
     [](World &w) { w.log("nv_peer_mem: Unknown symbol ib_register_peer_memory_client (err -2)"); },
     "modules-of-two-stacks"_id, "kernel", "ib_register_peer_memory_client"},
    {"device", "firmware fault",
     [](World &w) {
         w.log("mlx5_core 0000:05:00.0: poll_health:792:(pid 0): device's health compromised - reached miss count");
     },
     "firmware-fault"_id, "mlx5_0", "reached miss count"},
    // PCI
    {"PCI link", "card in a narrow slot state",
     [](World &w) {
         w.device(0).pci_path[0].current = {8000, 4};
     },
     "pci-link-narrow"_id, "mlx5_0", "8 GT/s x4 (31 Gbit/s), and can run at 32 GT/s x16 (504 Gbit/s)"},
    {"PCI link", "a switch on the way",
     [](World &w) {
         w.device(1).pci_path.push_back({"0000:00:03.0", {16000, 8}, {32000, 16}});
         w.device(1).pci_path.push_back({"0000:00:04.0", {16000, 8}, {32000, 16}});
     },
     "pci-link-narrow"_id, "mlx5_1", "0000:00:03.0"},
    {"PCI link", "a switch above both cards: once",
     [](World &w) {
         for (const auto n : {0, 1})
             for (const auto *bridge : {"0000:00:03.0", "0000:00:04.0"})
                 w.device(static_cast<std::size_t>(n)).pci_path.push_back({bridge, {16000, 8}, {32000, 16}});
     },
     "pci-link-narrow"_id, "mlx5_0", "0000:00:03.0"},
    {"PCI link", "a card with a function for each port: once",
     [](World &w) {
         w.device(1).bus = w.device(1).pci_path[0].address = "0000:05:00.1";
         for (const auto n : {0U, 1U}) w.device(n).pci_path[0].current = {8000, 4};
     },
     "pci-link-narrow"_id, "mlx5_0", "0000:05:00.0"},
    // cable and link
    {"cable", "none",
     [](World &w) {
         w.port(1).state = PortState::down, w.port(1).phys_state = PhysState::polling;
         w.port(1).interfaces[0].carrier = false;
     },
     "port-polling"_id, "mlx5_1/1", "Polling"},
    {"cable", "not accepted",
     [](World &w) {
         w.log("mlx5_core 0000:06:00.0: Port module event[error]: module 0, Cable error, Unknown identifier");
     },
     "cable-fault"_id, "mlx5_1", "Unknown identifier"},
    {"cable", "lost by one of three equal cards that no profile needs",
     [](World &w) {
         for (const auto n : {2, 3})
             w.host.devices.push_back(w.card(n)), w.port(static_cast<std::size_t>(n)).interfaces.clear();
         for (auto &d : w.host.devices) d.board_id = std::string("NVD0000000033"), d.ports[0].manager = {};
         w.port(3).state = PortState::down, w.port(3).phys_state = PhysState::polling;
     },
     "port-polling"_id, "mlx5_3/1", "Polling"},
    {"link", "narrow",
     [](World &w) {
         w.port(0).info->active = {1, LaneSpeed::sdr}, w.port(0).rate = PortRate{2500, "1X"};
         w.port(0).peer = PortInfo{4096, 4096, ndr, ndr, ndr};
     },
     "link-narrow"_id, "mlx5_0/1", "1X SDR, and 4X NDR is possible"},
    {"link", "narrow, and the other end does not answer",
     [](World &w) {
         w.port(0).info->active = {1, LaneSpeed::ndr}, w.port(0).rate = PortRate{100000, "1X NDR"};
     },
     "link-narrow"_id, "mlx5_0/1", "1X NDR"},
    {"link", "narrow, seen without root",
     [](World &w) {
         w.port(0).info = Read<PortInfo>(), w.port(0).rate = PortRate{25000, "1X EDR"};
     },
     "link-narrow"_id, "mlx5_0/1", "1X EDR, and 4X is possible"},
    {"link", "slow",
     [](World &w) {
         w.port(1).info->active = edr, w.port(1).rate = PortRate{100000, "4X EDR"};
         w.port(1).peer = PortInfo{4096, 4096, edr, hdr, hdr};
     },
     "link-slow"_id, "mlx5_1/1", "4X EDR, and both ends support 4X HDR"},
    {"link", "limited by a setting",
     [](World &w) {
         w.port(1).info->active = hdr, w.port(1).rate = PortRate{200000, "4X HDR"};
         w.port(1).peer = PortInfo{4096, 4096, hdr, hdr, ndr};
     },
     "link-limited"_id, "mlx5_1/1", "4X HDR, which its settings allow at most"},
    {"link", "errors", [](World &w) { w.look(3600), w.port(0).counters["symbol_error"] += 10, w.look(7200); },
     "link-errors"_id, "mlx5_0/1", "symbol_error has risen by 10 in the last 12 hours"},
    {"link", "flaps", [](World &w) { w.look(3600), w.port(0).counters["link_downed"] += 3, w.look(7200); },
     "link-flaps"_id, "mlx5_0/1", "3 times in the last 12 hours"},
    {"link", "flaps: the log by the card's address",
     [](World &w) { w.look(3600), w.port(1).counters["link_downed"] += 3, w.look(7200); }, "link-flaps"_id, "mlx5_1/1",
     "journalctl -k -b -g 0000:06:00.0"},
    {"link", "flaps in a day",
     [](World &w) {
         for (int hour = 1; hour <= 20; hour++) {
             if (hour % 4 == 0) w.port(0).counters["link_downed"]++;
             w.look(hour * 3600);
         }
     },
     "link-flaps"_id, "mlx5_0/1", "in the last 12 hours"},
    {"link", "counters full", [](World &w) { w.port(1).counters["symbol_error"] = 65535; }, "counters-full"_id,
     "mlx5_1/1", "perfquery -R -C mlx5_1 -P 1"},
    // subnet manager
    {"subnet manager", "none",
     [](World &w) {
         w.port(1).state = PortState::init, w.port(1).sm_lid = 0U, w.port(1).manager = {};
         w.port(1).interfaces[0].carrier = false;
     },
     "no-subnet-manager"_id, "mlx5_1/1", "nm-ib host opensm"},
    {"subnet manager", "none, and the firmware leaves the port down",
     [](World &w) {
         w.port(1).state = PortState::down, w.port(1).sm_lid = 0U, w.port(1).manager = {};
         w.port(1).interfaces[0].carrier = false;
     },
     "no-subnet-manager"_id, "mlx5_1/1", "(state Down)"},
    {"virtual function", "down, with the link and the SM LID of its card",
     [](World &w) {
         w.device(1).physical_function = w.device(0).bus;
         w.port(1).state = PortState::down, w.port(1).lid = 0xffffU, w.port(1).manager = {};
         w.port(1).interfaces[0].carrier = false;
     },
     "vf-link-down"_id, "mlx5_1/1", "support virtual ports"},
    {"subnet manager", "only on another port of this host",
     [](World &w) {
         w.port(1).state = PortState::init, w.port(1).sm_lid = 0U, w.port(1).manager = {};
         w.port(1).interfaces[0].carrier = false;
         w.port(0).cap_mask = 2U;
     },
     "subnet-manager-on-other-port"_id, "mlx5_1/1", "nm-ib host opensm b83f:d203:00a0:0000 b83f:d203:00a0:0001"},
    {"subnet manager", "does not answer",
     [](World &w) {
         w.port(0).manager = Error{Error::Kind::io, "mlx5_0/1: Connection timed out"};
     },
     "subnet-manager-lost"_id, "mlx5_0/1", "sminfo -C mlx5_0 -P 1"},
    {"subnet manager", "another one for the same prefix",
     [](World &w) { w.port(1).gids->at(0).gid.replace(0, 19, "fe80:0000:0000:0000"); }, "two-subnet-managers"_id,
     "mlx5_1/1", "900a:8403:0000:0001, 900a:8403:0000:0000"},
    // partition and group
    {"partition", "not a member",
     [](World &w) {
         w.port(0).pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}};
     },
     "pkey-not-in-table"_id, "ib0.8002", "0x8002"},
    {"partition", "limited",
     [](World &w) {
         w.port(0).pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}, {1, test::pkey(0x0002)}};
     },
     "pkey-limited"_id, "ib0.8002", "0x8002"},
    {"partition", "no default",
     [](World &w) {
         w.port(1).pkeys = std::vector<PKeyEntry>{{0, test::pkey(0x8002)}};
         w.port(1).interfaces[0].pkey = PKey::from(0x8002);
     },
     "no-default-pkey"_id, "mlx5_1/1", "Default=0x7fff"},
    {"group", "not joined", [](World &w) { w.port(0).interfaces[1].carrier = false; }, "no-broadcast-group"_id,
     "ib0.8002", "multicast.join.failed"},
    // profiles and names
    {"profile", "last activation failed", [](World &w) { w.host.profiles[2].failure = "no-secrets"; },
     "activation-failed"_id, "ib1", "no-secrets"},
    {"profile", "no answer to DHCP",
     [](World &w) {
         auto &p = w.host.profiles[2];
         p.failure = "ip-config-unavailable";
         p.client_id = "20:b8:3f:d2:03:00:a0:00:01", p.six_bytes = "b8:3f:d2:a0:00:01";
     },
     "no-dhcp-answer"_id, "ib1",
     "sends 20:b8:3f:d2:03:00:a0:00:01 by default; programs that shorten this to 6 bytes show b8:3f:d2:a0:00:01"},
    {"profile", "on a port for NVSwitches", [](World &w) { w.device(1).is_fabric_managed = true; },
     "nvswitch-profile"_id, "ib1", "p-ib1"},
    {"profile", "what InfiniBand cannot carry",
     [](World &w) {
         w.host.profiles[2].findings = {
             {.kind = find_kind("not-carried"),
              .link = test::ifname("ib1"),
              .severity = Severity::error,
              .values = {{"profile", std::string("p-ib1")}, {"type", std::string("bridge")}}}};
     },
     "not-carried"_id, "ib1", "is for type bridge on an InfiniBand interface"},
    {"interface", "child without a profile",
     [](World &w) { w.host.profiles.erase(w.host.profiles.begin() + 1), w.host.wanted.erase("ib0.8002"); },
     "child-without-profile"_id, "ib0.8002", "ip link delete ib0.8002"},
    {"name", "the kernel's, with two cards", [](World &w) { w.host.profiles[2].by_name = true; }, "kernel-name"_id,
     "ib1", "nm-ib name propose"},
    {"name", "the kernel's, in two profiles",
     [](World &w) { w.host.profiles[0].by_name = w.host.profiles[2].by_name = true; }, "kernel-name"_id, "ib0 ib1",
     "nm-ib name propose"},
    {"name", "of the other type",
     [](World &w) {
         w.port(1).interfaces[0].name = test::ifname("eth0"), w.host.profiles[2].interface = "eth0";
         w.host.wanted = {"ib0", "ib0.8002", "eth0"};
     },
     "name-misleads"_id, "eth0", "of type InfiniBand"},
    {"name", "on the kernel's command line",
     [](World &w) {
         w.host.files.push_back({StrayFile::Why::boot_name, "/proc/cmdline", "ib0"});
     },
     "boot-word-kernel-name"_id, "/proc/cmdline", "ib0"},
    // programs
    {"program", "a known fault",
     [](World &w) {
         w.host.services.tools = {{"waagent", "2.9.1.1"}};
     },
     "known-fault"_id, "waagent", "Azure/WALinuxAgent#3025"},
    {"program", "limit configured, but not in force",
     [](World &w) {
         w.host.services.limits = {{"slurmd", 700, 8ULL << 20, "slurmd.service", "infinity"}};
     },
     "memlock-small"_id, "slurmd", "8192 KiB of memory (LimitMEMLOCK of the unit: infinity)"},
};

std::string all_of(const Trouble &t)
{
    auto text = seen(t) + "\n" + why(t) + "\n" + mend(t);
    for (const auto &command : commands(t)) text += "\n" + nmib::text(command);
    return text;
}

TEST(CausesTest, CableOfACardIsReportedOnceForItsFunctions)
{
    World world;
    world.host.devices.push_back(world.card(2));
    for (const auto n : {1U, 2U}) {
        world.device(n).physical_function = world.device(0).bus;
        world.port(n).manager = {};
    }
    for (const auto n : {0U, 1U, 2U}) {
        world.port(n).state = PortState::down, world.port(n).phys_state = PhysState::polling;
        world.port(n).interfaces[0].carrier = false;
    }
    world.host.wanted = {"ib1", "ib2"}; // the profiles of the functions
    world.host.profiles.clear(), world.port(0).interfaces.pop_back();
    ASSERT_THAT(ids(world.host), ElementsAre("port-polling"_id));
    const auto all = diagnose(world.host);
    EXPECT_EQ(all[0].where, "mlx5_0/1");
    EXPECT_THAT(all[0].consequences, ElementsAre("ib1", "ib2"));
}

TEST(CausesTest, HealthyWorldHasNoFindings) { EXPECT_THAT(ids(World().host), IsEmpty()); }

TEST(CausesTest, EachCauseIsReportedAloneWithObjectAndCommand)
{
    for (const auto &cause : causes) {
        SCOPED_TRACE(std::string(cause.layer) + ": " + cause.question);
        World world;
        cause.spoil(world);
        EXPECT_THAT(ids(world.host), ElementsAre(cause.id));
        const auto all = diagnose(world.host);
        if (all.empty()) continue;
        EXPECT_EQ(all[0].where, cause.where);
        EXPECT_THAT(all_of(all[0]), HasSubstr(cause.text));
    }
}

} // namespace
} // namespace nmib
