// SPDX-License-Identifier: LGPL-2.1-or-later
/// What doctor says of the layers above ports: programs, profiles, files and services. Each test names the row of the
/// notes that it is about.
#include "core/diagnose/diagnose.hpp"
#include "core/link_file/naming_world.hpp"
#include "make.hpp"
#include "name_make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Severity = Trouble::Severity;
using Type = ProfileState::Type;
using Target = ProfileState::Target;

struct DiagnoseHostTest : testing::Test {
    Host host;
    RdmaPort *port;

    DiagnoseHostTest()
    {
        RdmaPort p{.number = 1};
        p.layer = LinkLayer::infiniband;
        p.state = PortState::active;
        p.phys_state = PhysState::link_up;
        p.lid = 3U, p.sm_lid = 1U;
        p.pkeys = std::vector<PKeyEntry>{{0, 0xffff}, {1, 0x8002}};
        PortNetdev n{.ifindex = 4, .name = test::ifname("ib0")};
        n.infiniband = n.up = n.carrier = true;
        n.pkey = PKey::from(0xffff);
        n.mode = TransportMode::datagram;
        p.interfaces = {n};
        RdmaDevice d{.name = "mlx4_0"};
        d.bus = "0000:05:00.0";
        d.ports = {p};
        host.devices.push_back(std::move(d));
        host.wanted = {"ib0"};
        port = &host.devices[0].ports[0];
    }
    void ethernet()
    {
        port->layer = LinkLayer::roce;
        port->interfaces[0].infiniband = false;
        port->pkeys = Read<std::vector<PKeyEntry>>();
    }
    std::vector<std::string> ids() const
    {
        std::vector<std::string> all;
        for (const auto &t : diagnose(host)) all.emplace_back(t.kind->id);
        return all;
    }
    Trouble only() const { return diagnose(host).at(0); }
    ProfileState &profile(Target target = Target::ipoib)
    {
        return host.profiles.emplace_back(
            ProfileState{.id = "storage", .uuid = "u", .interface = "ib0", .target = target});
    }
    void expect_plan(Finding::Code code, const char *id)
    {
        Finding f{code, test::ifname("ib0")};
        f.profile = "storage";
        profile().findings = {f};
        EXPECT_THAT(ids(), ElementsAre(id));
        EXPECT_THAT(seen(only()), HasSubstr("ib0"));
        host.profiles.clear();
    }
    void log(const char *text) { host.services.log.push_back({5'000'000, text}); }
};

TEST_F(DiagnoseHostTest, AHealthyMachine)
{
    profile();
    host.services.managed = {"ib0"};
    host.services.log = {{1'000'000, "IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready"}};
    host.services.wait_online_end = 9'000'000U;
    host.services.limits = {{"slurmd", 77, UINT64_MAX}};
    EXPECT_THAT(ids(), IsEmpty());
}

// troubles.md 11, 52
TEST_F(DiagnoseHostTest, NoLibraryForTheCard)
{
    host.missing_providers = {{"mlx5_0", "mlx5"}};
    EXPECT_THAT(ids(), ElementsAre("no-verbs-provider"));
    EXPECT_THAT(mend(only()), HasSubstr("/etc/libibverbs.d"));
}

// troubles.md 38
TEST_F(DiagnoseHostTest, CardsThatAContainerCannotOpen)
{
    host.missing_nodes = {{"uverbs1", "mlx5_1"}};
    ASSERT_THAT(ids(), ElementsAre("no-verbs-node"));
    EXPECT_EQ(seen(only()), "mlx5_1 has no uverbs1 in /dev/infiniband");
}

// troubles.md 13
TEST_F(DiagnoseHostTest, NoDefaultKey)
{
    port->pkeys = std::vector<PKeyEntry>{{1, 0x8002}};
    port->interfaces[0].pkey = PKey::from(0x8002);
    EXPECT_THAT(ids(), ElementsAre("no-default-pkey"));
    port->pkeys = std::vector<PKeyEntry>{{0, 0x7fff}, {1, 0x8002}};
    EXPECT_THAT(ids(), IsEmpty());
}

// troubles.md 9
TEST_F(DiagnoseHostTest, LinkLocalGidsOnly)
{
    ethernet();
    port->gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0202:c9ff:fe00:0001", "RoCE v2", "eth2"}};
    ASSERT_THAT(ids(), ElementsAre("roce-link-local-only"));
    EXPECT_THAT(mend(only()), HasSubstr("eth2"));
    port->gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0202:c9ff:fe00:0001", "RoCE v2", ""}};
    EXPECT_THAT(mend(only()), HasSubstr("Give ib0 an")) << "the port's interface";
    port->gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0202:c9ff:fe00:0001", "RoCE v2", "eth2"},
                                       {1, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2", "eth2"}};
    EXPECT_THAT(ids(), IsEmpty());
    port->state = PortState::down;
    port->gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0202:c9ff:fe00:0001", "RoCE v2", "eth2"}};
    EXPECT_THAT(ids(), IsEmpty()); // nobody uses it
}

// troubles.md 26
TEST_F(DiagnoseHostTest, FirstGidIsNotAtIndexZero)
{
    ethernet();
    port->gids = std::vector<GidEntry>{{3, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2", "eth2"}};
    ASSERT_THAT(ids(), ElementsAre("roce-first-gid"));
    EXPECT_THAT(mend(only()), HasSubstr("ib_send_bw -x 3"));
}

// troubles.md 23
TEST_F(DiagnoseHostTest, CardThatTheVendorHasDropped)
{
    host.unbound_functions = {"0000:07:00.0"};
    EXPECT_THAT(ids(), ElementsAre("no-driver"));
    host.has_vendor_stack = true;
    EXPECT_THAT(ids(), ElementsAre("no-driver-of-vendor"));
}

TEST_F(DiagnoseHostTest, TheCardIsGone)
{
    host.devices.clear();
    host.has_device = false;
    EXPECT_THAT(ids(), IsEmpty());
    host.profiles = {{.id = "a", .interface = "ib0", .target = ProfileState::Target::none},
                     {.id = "b", .interface = "ib1", .target = ProfileState::Target::none},
                     {.id = "c", .interface = "ib2", .target = ProfileState::Target::none, .autoconnect = false}};
    ASSERT_THAT(ids(), ElementsAre("rdma-device-missing"));
    EXPECT_THAT(seen(only()), HasSubstr(": a, b"));
    host.named = true;
    EXPECT_THAT(seen(only()), HasSubstr(": a, b, c"));
    host.unbound_functions = {"0000:07:00.0"};
    EXPECT_THAT(ids(), ElementsAre("no-driver"));
}

// users.md 3.6
TEST_F(DiagnoseHostTest, ProfileWithoutItsInterface)
{
    auto &p = profile(Target::none);
    p.interface = "ib7";
    EXPECT_THAT(ids(), ElementsAre("profile-without-interface"));
    p.autoconnect = false;
    EXPECT_THAT(ids(), IsEmpty()); // it waits for somebody to plug the card in
}

// users.md 3.2
TEST_F(DiagnoseHostTest, ProfileOfAnOldName)
{
    profile(Target::none).interface = "ib0_old";
    EXPECT_THAT(mend(only()), HasSubstr("nm-ib name set"));
}

// users.md 3.4
TEST_F(DiagnoseHostTest, DecimalKey)
{
    auto &p = profile();
    p.p_key = 8002; // 0x1f42
    ASSERT_THAT(ids(), ElementsAre("pkey-looks-decimal"));
    EXPECT_THAT(mend(only()), HasSubstr("modify uuid u infiniband.p-key 0x8002"));
    p.p_key = 0x8002;
    EXPECT_THAT(ids(), IsEmpty());
    p.p_key = 8003; // neither is there
    EXPECT_THAT(ids(), IsEmpty());
}

// troubles.md 6, 33, 34
TEST_F(DiagnoseHostTest, PortThatBecameEthernet)
{
    ethernet();
    profile(Target::rdma_ethernet);
    ASSERT_THAT(ids(), ElementsAre("infiniband-profile-on-ethernet"));
    EXPECT_THAT(mend(only()), HasSubstr("mlxconfig -d 0000:05:00.0 set LINK_TYPE_P1=1"));
    port->number = 2; // mlx4
    EXPECT_THAT(mend(only()), HasSubstr("mlxconfig -d 0000:05:00.0 set LINK_TYPE_P2=1"));
    port->number = 1; // mlx5
    host.devices[0].bus = "0000:05:00.1";
    EXPECT_THAT(mend(only()), HasSubstr("mlxconfig -d 0000:05:00.1 set LINK_TYPE_P2=1"));
}

// troubles.md 7
TEST_F(DiagnoseHostTest, EthernetProfileForAnInfiniBandInterface)
{
    profile().type = Type::ethernet;
    EXPECT_THAT(ids(), ElementsAre("ethernet-profile-on-infiniband"));
}

// users.md 3.16
TEST_F(DiagnoseHostTest, BondMode)
{
    auto &p = profile();
    p.bond_mode = "802.3ad";
    EXPECT_THAT(ids(), ElementsAre("bond-not-active-backup"));
    for (const auto *good : {"active-backup", "1"}) {
        p.bond_mode = good;
        EXPECT_THAT(ids(), IsEmpty());
    }
}

// troubles.md 22
TEST_F(DiagnoseHostTest, NoVirtualFunctions)
{
    profile().vfs = 4;
    EXPECT_THAT(ids(), ElementsAre("vfs-impossible"));
    host.devices[0].max_vfs = 0U;
    EXPECT_THAT(ids(), ElementsAre("vfs-impossible"));
    host.devices[0].max_vfs = 8U;
    EXPECT_THAT(ids(), IsEmpty());
    host.devices[0].max_vfs = Error{Error::Kind::io, "EIO"};
    EXPECT_THAT(ids(), IsEmpty()); // nobody knows
}

// users.md 3.7 (and 3.10: an MTU of 65520 needs connected mode), 3.8, 3.9 (and 3.11), 3.3
TEST_F(DiagnoseHostTest, WhatPlanSays)
{
    using Code = Finding::Code;
    expect_plan(Code::connected_impossible, "connected-impossible");
    expect_plan(Code::connected_fails, "connected-impossible");
    expect_plan(Code::no_mode_file, "no-mode-file");
    expect_plan(Code::mtu_limited, "mtu-limited");
    expect_plan(Code::wrong_partition, "profile-in-wrong-partition");
    expect_plan(Code::pkey_taken, "pkey-taken");
    expect_plan(Code::other_port, "profile-for-other-port");
    expect_plan(Code::parent_name_long, "parent-name-long");
    expect_plan(Code::quirk_unread, "quirk-unread");
    expect_plan(Code::quirk_refused, "quirk-refused");
}

TEST_F(DiagnoseHostTest, WhatLowerLayersSayIsNotSaidTwice)
{
    Finding f{Finding::Code::mtu_limited, test::ifname("ib0")};
    profile().findings = {f};
    port->state = PortState::init;
    port->sm_lid = 0U;
    port->interfaces[0].carrier = false;
    EXPECT_THAT(ids(), ElementsAre("no-subnet-manager"));
    f.code = Finding::Code::pkey_not_in_table;
    host.profiles[0].findings = {f};
    port->state = PortState::active;
    port->sm_lid = 1U;
    port->interfaces[0].carrier = true;
    EXPECT_THAT(ids(), IsEmpty());
}

// troubles.md 18, 28, 14, 39 and 40; users.md 3.17
TEST_F(DiagnoseHostTest, FilesThatNobodyReads)
{
    using Why = StrayFile::Why;
    const std::pair<Why, const char *> all[] = {
        {Why::permissions, "keyfile-permissions"}, {Why::broken, "keyfile-broken"},
        {Why::not_loaded, "keyfile-not-loaded"},   {Why::ifcfg_type, "ifcfg-without-type"},
        {Why::ifcfg_unread, "ifcfg-unread"},       {Why::ifupdown2, "ifupdown2-infiniband"},
        {Why::ifcfg_used, "ifcfg-in-use"},         {Why::no_profile, "words-without-profile"},
        {Why::boot_word, "boot-word-ethernet"}};
    for (const auto &[why, id] : all) {
        host.files = {{why, "/etc/file", "ib0"}};
        ASSERT_THAT(ids(), ElementsAre(id));
        EXPECT_THAT(seen(only()), HasSubstr("/etc/file"));
    }
}

TEST_F(DiagnoseHostTest, WhatAGeneratorWritesIsMendedInItsSource)
{
    for (const auto &[path, source] : std::initializer_list<std::pair<const char *, const char *>>{
             {"/run/NetworkManager/system-connections/netplan-ib0.nmconnection",
              "In /etc/netplan, below the interface"},
             {"/etc/NetworkManager/system-connections/cloud-init-ib0.nmconnection", "{config: disabled} in /etc/cloud"},
             {"/etc/NetworkManager/system-connections/warewulf-ib0.conf", "wwctl overlay build"}}) {
        host.files = {{StrayFile::Why::broken, path, "infiniband.transport-mode: property is missing"}};
        EXPECT_THAT(mend(only()), HasSubstr(source));
        EXPECT_THAT(commands(only()), IsEmpty());
        EXPECT_EQ(mended_by(only()), Trouble::By::hands);
        host.files.clear();
        host.profiles = {{.id = "x", .file = path, .interface = "ib0", .bond_mode = "802.3ad", .bond_uuid = "b"}};
        EXPECT_THAT(mend(only()), HasSubstr("nmcli connection modify uuid b +bond.options mode="));
        EXPECT_THAT(commands(only()), IsEmpty());
        EXPECT_EQ(mended_by(only()), Trouble::By::hands);
        host.profiles.front() = {.id = "x", .file = path, .interface = "ib0", .vfs = 3};
        EXPECT_THAT(mend(only()), HasSubstr("mlxconfig")); // of the machine, whoever wrote the profile
        host.profiles.front() = {.id = "x", .file = path, .interface = "ib0", .bond_mode = "802.3ad", .bond_uuid = "b"};
        host.profiles.front().file = "/etc/NetworkManager/system-connections/ib0.nmconnection";
        EXPECT_THAT(mend(only()), HasSubstr("nmcli connection modify uuid b "));
        host.profiles.front() = {
            .id = "x", .uuid = "00-1", .file = path, .interface = "ib0", .old_word = "rdma.skip", .old_value = "yes"};
        EXPECT_EQ(mended_by(only()), Trouble::By::fix);
        EXPECT_THAT(commands(only()),
                    ElementsAre(CommandLine{"nm-ib", "connection", "modify", "uuid", "00-1", "rdma.skip", "yes"}));
        host.profiles.clear();
    }
}

// users.md 3.1
TEST_F(DiagnoseHostTest, NameThatDoesNotHold)
{
    NamingWorld world;
    world.ports = {test::port("mlx4_ib0")};
    world.configs = {test::config({test::port_name("mlx4_ib0"), ByGuid{test::guid(test::first_guid)}})};
    host.naming = std::make_shared<NamingWorld>(world);
    EXPECT_THAT(ids(), IsEmpty());
    world.ports = {test::port("ib0")};
    host.naming = std::make_shared<NamingWorld>(world);
    profile(Target::none).interface = "mlx4_ib0";
    ASSERT_THAT(ids(), ElementsAre("name-at-next-boot")) << "nor is the profile without an interface";
    EXPECT_EQ(only().severity, Severity::info);
    host.named = true;
    EXPECT_THAT(ids(), IsEmpty()) << "of the profile alone nothing is wrong";
    host.named = false;
    host.profiles.clear();
    world.ports.clear(); // the card is gone
    host.naming = std::make_shared<NamingWorld>(world);
    EXPECT_THAT(ids(), ElementsAre("name-does-not-hold"));
}

TEST_F(DiagnoseHostTest, LinkFileThatMatchesAWholeAddress)
{
    NamingWorld world;
    world.ports = {test::port("ib0")};
    const auto file = [&](const std::string &match) {
        world.configs = {test::config("10.link", "[Match]\n" + match + "\n[Link]\nName=first\n")};
        host.naming = std::make_shared<NamingWorld>(world);
    };
    file("MACAddress=" + test::first_address);
    ASSERT_THAT(ids(), ElementsAre("link-file-by-address"));
    EXPECT_EQ(only().severity, Severity::warning);
    EXPECT_THAT(mend(only()), HasSubstr("nm-ib name import"));
    EXPECT_EQ(mended_by(only()), Trouble::By::command);
    world.configs = {
        test::config("10.link", "[Match]\nMACAddress=" + test::first_address + "\n[Link]\nName=a\nMTUBytes=2044\n")};
    host.naming = std::make_shared<NamingWorld>(world);
    EXPECT_EQ(mended_by(only()), Trouble::By::hands) << "import leaves the file, for it would lose MTUBytes=";
    file("MACAddress=52:54:00:12:34:56");
    EXPECT_THAT(ids(), IsEmpty());
    file("MACAddress=80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:ff:00:01");
    EXPECT_THAT(ids(), IsEmpty()) << "no port here";
}

TEST_F(DiagnoseHostTest, PluginAndDispatcher)
{
    auto &s = host.services;
    s.plugin_installed = true;
    s.plugin_loaded = false;
    EXPECT_THAT(ids(), ElementsAre("plugin-not-loaded"));
    s.plugin_loaded = s.plugin_replaced = true;
    EXPECT_THAT(ids(), ElementsAre("plugin-older"));
    s.plugin_replaced = false;
    s.dispatcher_path = "/usr/lib/x", s.dispatcher_fault = "it does not belong to root";
    EXPECT_THAT(ids(), ElementsAre("dispatcher-refused"));
    s.dispatcher_fault.clear(), s.dispatcher_missing = true;
    ASSERT_THAT(ids(), ElementsAre("dispatcher-missing"));
    EXPECT_THAT(mend(only()), testing::Not(HasSubstr("chmod")));
}

TEST_F(DiagnoseHostTest, SelinuxDeniesTheHelper)
{
    auto &s = host.services;
    s.mislabelled = {{"/usr/lib/NetworkManager/dispatcher.d/10-nm-ib", "user_tmp_t"}};
    EXPECT_THAT(ids(), ElementsAre("selinux-label"));
    s.mislabelled.clear();
    s.log = {{1, R"(audit: type=1400: avc:  denied  { read } for comm="chronyd" name="type")"}};
    EXPECT_THAT(ids(), IsEmpty());
    s.log.push_back({2, R"(audit: type=1400: avc:  denied  { read } for comm="nm-ib-dispatche" name="type")"});
    EXPECT_THAT(ids(), ElementsAre("selinux-denied"));
}

// users.md 3.19, troubles.md 47
TEST_F(DiagnoseHostTest, TwoManagers)
{
    auto &s = host.services;
    s.networkd = {"ib0"};
    EXPECT_THAT(ids(), IsEmpty()); // NetworkManager leaves it alone
    s.managed = {"ib0"};
    EXPECT_THAT(ids(), ElementsAre("two-managers"));
    s.networkd.clear();
    s.openibd = true;
    EXPECT_THAT(ids(), ElementsAre("openibd-too"));
}

// troubles.md 24, 25 and 30, 37, 53
TEST_F(DiagnoseHostTest, FailedUnits)
{
    for (const auto *unit :
         {"lnet.service", "opensm@0x0002c90300000001.service", "opafm.service", "srp_daemon_port@mlx5_0:1.service"}) {
        host.services.failed_units = {unit};
        ASSERT_THAT(ids(), ElementsAre("unit-failed")) << unit;
        EXPECT_THAT(why(only()), HasSubstr("It ")) << unit;
    }
    host.services.failed_units = {"cron.service"};
    EXPECT_THAT(ids(), IsEmpty());
}

// troubles.md 49
TEST_F(DiagnoseHostTest, WaitOnlineEndsEarly)
{
    host.services.wait_online_end = 9'000'000U;
    log("IPv6: ADDRCONF(NETDEV_CHANGE): ib1: link becomes ready");
    host.services.log.push_back({40'000'000, "IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready"});
    ASSERT_THAT(ids(), ElementsAre("wait-online-early"));
    EXPECT_THAT(seen(only()), HasSubstr("31 s before ib0"));
    host.services.log.insert(host.services.log.begin(),
                             {8'000'000, "IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready"});
    EXPECT_THAT(ids(), IsEmpty()); // the later one is a flap
}

// users.md 3.20
TEST_F(DiagnoseHostTest, SmallMemlock)
{
    host.services.limits = {{"slurmd", 77, 8U << 20}, {"good", 78, 1ULL << 40}};
    ASSERT_THAT(ids(), ElementsAre("memlock-small"));
    EXPECT_EQ(seen(only()), "slurmd (process 77) may lock 8192 KiB of memory");
    host.services.limits[0].unit = "slurmd.service";
    EXPECT_EQ(seen(only()), "slurmd (process 77, slurmd.service) may lock 8192 KiB of memory");
    EXPECT_EQ(text(commands(only()).at(0)), "nm-ib host memlock slurmd.service unlimited");
    host.services.limits[0].unit = "user@1000.service";
    EXPECT_EQ(text(commands(only()).at(0)), "nm-ib host memlock @rdma unlimited");
}

TEST_F(DiagnoseHostTest, NfsServerThatDoesNotListen)
{
    auto &nfs = host.services.nfs_server;
    nfs.files = {{.path = "/etc/nfs.conf.d/x.conf", .words = "rdma=20049"}};
    nfs.wanted = {20049};
    EXPECT_THAT(ids(), IsEmpty()) << "it does not run";
    nfs.runs = true;
    ASSERT_THAT(ids(), ElementsAre("nfs-rdma-not-listening"));
    EXPECT_THAT(seen(only()), HasSubstr("/etc/nfs.conf.d/x.conf: rdma=20049"));
    EXPECT_THAT(mend(only()), HasSubstr("nm-ib host nfs-server rdma --now"));
    nfs.listeners = {20049};
    EXPECT_THAT(ids(), IsEmpty());
    nfs.wanted.clear(), nfs.listeners.clear(), nfs.name_unknown = true;
    EXPECT_THAT(ids(), ElementsAre("nfs-rdma-not-listening")) << "rdma=y without the name";
    nfs.name_unknown = false;
    EXPECT_THAT(ids(), IsEmpty()) << "rdma=n";
}

TEST_F(DiagnoseHostTest, NfsMounts)
{
    host.services.nfs_mounts = {{.what = "s:/a", .where = "/a", .in_fstab = true}};
    EXPECT_THAT(ids(), ElementsAre("nfs-rdma-not-mounted"));
    host.services.nfs_mounts[0].mounted = true;
    EXPECT_THAT(ids(), ElementsAre("nfs-rdma-over-tcp"));
    host.services.nfs_mounts[0].over_rdma = true;
    EXPECT_THAT(ids(), IsEmpty());
    host.services.nfs_mounts = {{.what = "s:/a", .where = "/a", .in_fstab = true, .automatic = false}};
    EXPECT_THAT(ids(), IsEmpty()) << "noauto";
    host.services.nfs_mounts[0].automatic = true;
    host.devices.clear();
    host.profiles.clear();
    ASSERT_THAT(ids(), ElementsAre("nfs-rdma-no-device"));
    EXPECT_THAT(mend(only()), HasSubstr("rdma.soft-rdma"));
    host.services.nfs_mounts.clear();
    log("rpcrdma: 'frwr' mode is not supported by device mlx4_0");
    EXPECT_THAT(ids(), ElementsAre("nfs-rdma-no-registration"));
}

TEST_F(DiagnoseHostTest, SrpDaemonOfAPort)
{
    EXPECT_THAT(ids(), IsEmpty()) << "not set up";
    host.services.srp_daemon = true;
    for (auto &device : host.devices)
        for (auto &p : device.ports) p.srp_daemon = "active";
    EXPECT_THAT(ids(), IsEmpty());
    for (const auto *state : {"", "inactive"}) {
        port->srp_daemon = state;
        ASSERT_THAT(ids(), ElementsAre("srp-daemon-inactive")) << state;
    }
    EXPECT_THAT(seen(only()), HasSubstr("(inactive)"));
    port->srp_daemon = "failed"; // unit-failed says so
    EXPECT_THAT(ids(), IsEmpty());
}

// troubles.md 5, 21, 44
TEST_F(DiagnoseHostTest, LinesOfTheKernel)
{
    const std::pair<const char *, const char *> all[] = {
        {"nv_peer_mem: disagrees about version of symbol ib_register_peer_memory_client", "modules-of-two-stacks"},
        {"Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7", "module-not-signed"},
        {"rpcrdma: local length error on receive", "nfs-rdma-length"}};
    for (const auto &[line, id] : all) {
        host.services.log.clear();
        log(line), log(line);
        ASSERT_THAT(ids(), ElementsAre(id)); // once
        EXPECT_THAT(seen(only()), HasSubstr(line));
    }
}

TEST_F(DiagnoseHostTest, OnlySafeCommandsAreForFix)
{
    std::set<std::string_view> mended;
    for (const auto *kind : trouble_kinds())
        if (kind->by == Trouble::By::fix) mended.insert(kind->id);
    EXPECT_THAT(mended, testing::UnorderedElementsAre("no-ipoib-module", "no-umad-module", "no-rdma-device",
                                                      "keyfile-permissions", "keyfile-not-loaded", "dispatcher-refused",
                                                      "selinux-label", "pkey-looks-decimal", "connected-impossible",
                                                      "words-in-profile"));
}

} // namespace
} // namespace nmib
