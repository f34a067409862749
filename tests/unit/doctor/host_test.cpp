// SPDX-License-Identifier: LGPL-2.1-or-later
/// Diagnoses of the layers above ports: programs, profiles and files.
#include "core/name/naming_world.hpp"
#include "host.hpp"
#include "id.hpp"
#include "name_make.hpp"

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Type = ProfileState::Type;
using Target = ProfileState::Target;

TEST_F(DiagnoseHostTest, HealthyMachineHasNoFindings)
{
    profile();
    host.services.managed = {"ib0"};
    host.services.log = {{1'000'000, "IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready"}};
    host.services.wait_online_end = 9'000'000U;
    host.services.limits = {{"slurmd", 77, UINT64_MAX}};
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseHostTest, MissingVerbsProviderIsReported)
{
    host.missing_providers = {{"mlx5_0", "mlx5"}};
    EXPECT_THAT(ids(), ElementsAre("no-verbs-provider"_id));
    EXPECT_THAT(mend(only()), HasSubstr("/etc/libibverbs.d"));
}

TEST_F(DiagnoseHostTest, MissingVerbsNodeIsReported)
{
    host.missing_nodes = {{"uverbs1", "mlx5_1"}};
    ASSERT_THAT(ids(), ElementsAre("no-verbs-node"_id));
    EXPECT_EQ(seen(only()), "mlx5_1 has no uverbs1 in /dev/infiniband");
}

TEST_F(DiagnoseHostTest, MissingDefaultPKeyIsReported)
{
    port->pkeys = std::vector<PKeyEntry>{{1, test::pkey(0x8002)}};
    port->interfaces[0].pkey = PKey::from(0x8002);
    EXPECT_THAT(ids(), ElementsAre("no-default-pkey"_id));
    port->pkeys = std::vector<PKeyEntry>{{0, test::pkey(0x7fff)}, {1, test::pkey(0x8002)}};
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseHostTest, RocePortWithOnlyLinkLocalGidsIsReported)
{
    ethernet();
    port->gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0202:c9ff:fe00:0001", "RoCE v2", "eth2"}};
    ASSERT_THAT(ids(), ElementsAre("roce-link-local-only"_id));
    EXPECT_THAT(mend(only()), HasSubstr("eth2"));
    port->gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0202:c9ff:fe00:0001", "RoCE v2", ""}};
    EXPECT_THAT(mend(only()), HasSubstr("Give roce0 an")) << "the port's interface";
    port->gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0202:c9ff:fe00:0001", "RoCE v2", "eth2"},
                                       {1, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2", "eth2"}};
    EXPECT_THAT(ids(), IsEmpty());
    port->state = PortState::down;
    port->gids = std::vector<GidEntry>{{0, "fe80:0000:0000:0000:0202:c9ff:fe00:0001", "RoCE v2", "eth2"}};
    EXPECT_THAT(ids(), IsEmpty()); // not used
}

TEST_F(DiagnoseHostTest, FirstGidAtAnotherIndexIsReported)
{
    ethernet();
    port->gids = std::vector<GidEntry>{{3, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2", "eth2"}};
    ASSERT_THAT(ids(), ElementsAre("roce-first-gid"_id));
    EXPECT_THAT(mend(only()), HasSubstr("ib_send_bw -x 3"));
}

TEST_F(DiagnoseHostTest, TypeOfServiceWithoutAPriorityIsReported)
{
    ethernet();
    auto &p = profile(Target::rdma_ethernet);
    p.type = Type::ethernet;
    p.roce_tos = 106; // DSCP 26
    EXPECT_THAT(ids(), IsEmpty()) << "no DCB";
    auto &dcb = host.dcb["roce0"];
    EXPECT_THAT(ids(), IsEmpty()) << "unknown";
    dcb.of_dscp = dcb.of_udp_port = Dcb::Priorities{};
    ASSERT_THAT(ids(), ElementsAre("roce-tos-unmapped"_id));
    EXPECT_EQ(seen(only()), "profile 'storage' gives RDMA on roce0 the DSCP 26 (rdma.roce-tos), and the card maps it "
                            "to no priority");
    dcb.of_dscp = Dcb::Priorities{{25, 3}, {27, 3}};
    EXPECT_THAT(ids(), ElementsAre("roce-tos-unmapped"_id));
    dcb.of_udp_port = Dcb::Priorities{{4791, 5}};
    EXPECT_THAT(ids(), IsEmpty());
    dcb.of_udp_port->clear(), p.roce_tos = 3;
    EXPECT_THAT(ids(), IsEmpty()) << "DSCP 0";
    p.roce_tos.reset();
    EXPECT_THAT(ids(), IsEmpty());
    p.roce_tos = 106, port->layer = LinkLayer::iwarp;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseHostTest, PriorityWithoutFlowControlIsANote)
{
    ethernet();
    auto &p = profile(Target::rdma_ethernet);
    p.type = Type::ethernet;
    p.roce_tos = 106;
    auto &dcb = host.dcb["roce0"];
    dcb = {.of_dscp = Dcb::Priorities{{26, 3}}, .of_udp_port = Dcb::Priorities{{4791, 2}}};
    EXPECT_THAT(ids(), IsEmpty()) << "unknown";
    dcb.flow_control = std::vector<bool>{true, true, true, false, true, true, true, true};
    ASSERT_THAT(ids(), ElementsAre("roce-no-pfc"_id));
    EXPECT_EQ(only().severity, Severity::note);
    EXPECT_THAT(mend(only()), HasSubstr("dcb pfc set dev roce0 prio-pfc 3:on"));
    dcb.has_pause = true;
    EXPECT_THAT(ids(), IsEmpty());
    dcb.has_pause = false, dcb.flow_control->at(3) = true;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseHostTest, CardWithoutADriverIsReported)
{
    host.unbound_functions = {{"0000:07:00.0", "mlx5_core"}};
    EXPECT_THAT(ids(), ElementsAre("no-driver"_id));
    host.has_vendor_stack = true;
    EXPECT_THAT(ids(), ElementsAre("no-driver-of-vendor"_id));
}

TEST_F(DiagnoseHostTest, ProfilesOfARemovedCardAreReported)
{
    host.devices.clear();
    host.has_device = false;
    EXPECT_THAT(ids(), IsEmpty());
    host.profiles = {{.id = "a", .interface = "ib0", .target = ProfileState::Target::none},
                     {.id = "b", .interface = "ib1", .target = ProfileState::Target::none},
                     {.id = "c", .interface = "ib2", .target = ProfileState::Target::none, .autoconnect = false}};
    ASSERT_THAT(ids(), ElementsAre("profile-without-device"_id));
    EXPECT_THAT(seen(only()), HasSubstr(": a, b"));
    host.named = true;
    EXPECT_THAT(seen(only()), HasSubstr(": a, b, c"));
    host.unbound_functions = {{"0000:07:00.0", "mlx5_core"}};
    EXPECT_THAT(ids(), ElementsAre("no-driver"_id));
}

TEST_F(DiagnoseHostTest, ProfileWithoutItsInterfaceIsReported)
{
    auto &p = profile(Target::none);
    p.interface = "ib7";
    EXPECT_THAT(ids(), ElementsAre("profile-without-interface"_id));
    p.autoconnect = false;
    EXPECT_THAT(ids(), IsEmpty()); // the card may be plugged in later
}

TEST_F(DiagnoseHostTest, ProfileOfAnOldNameIsFixedByNameSet)
{
    profile(Target::none).interface = "ib0_old";
    EXPECT_THAT(mend(only()), HasSubstr("nm-ib name set"));
}

TEST_F(DiagnoseHostTest, DecimalPKeyIsReportedWithTheHexadecimalOne)
{
    auto &p = profile();
    p.p_key = 8002; // 0x1f42
    ASSERT_THAT(ids(), ElementsAre("pkey-looks-decimal"_id));
    EXPECT_THAT(mend(only()), HasSubstr("modify uuid u infiniband.p-key 0x8002"));
    p.p_key = 0x8002;
    EXPECT_THAT(ids(), IsEmpty());
    p.p_key = 8003; // neither key is in the table
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseHostTest, InfinibandProfileOnAnEthernetPortIsReported)
{
    ethernet();
    profile(Target::rdma_ethernet);
    ASSERT_THAT(ids(), ElementsAre("infiniband-profile-on-ethernet"_id));
    EXPECT_THAT(mend(only()), HasSubstr("mlxconfig -d 0000:05:00.0 set LINK_TYPE_P1=1"));
    port->number = 2; // mlx4
    EXPECT_THAT(mend(only()), HasSubstr("mlxconfig -d 0000:05:00.0 set LINK_TYPE_P2=1"));
    port->number = 1; // mlx5
    host.devices[0].bus = "0000:05:00.1";
    EXPECT_THAT(mend(only()), HasSubstr("mlxconfig -d 0000:05:00.1 set LINK_TYPE_P2=1"));
}

TEST_F(DiagnoseHostTest, EthernetProfileOnAnInfinibandInterfaceIsReported)
{
    profile().type = Type::ethernet;
    EXPECT_THAT(ids(), ElementsAre("ethernet-profile-on-infiniband"_id));
}

TEST_F(DiagnoseHostTest, BondModeOtherThanActiveBackupIsReported)
{
    auto &p = profile();
    p.bond_mode = "802.3ad";
    EXPECT_THAT(ids(), ElementsAre("bond-not-active-backup"_id));
    for (const auto *good : {"active-backup", "1"}) {
        p.bond_mode = good;
        EXPECT_THAT(ids(), IsEmpty());
    }
}

TEST_F(DiagnoseHostTest, ImpossibleVirtualFunctionsAreReported)
{
    profile().vfs = 4;
    EXPECT_THAT(ids(), ElementsAre("vfs-impossible"_id));
    host.devices[0].max_vfs = 0U;
    EXPECT_THAT(ids(), ElementsAre("vfs-impossible"_id));
    host.devices[0].max_vfs = 8U;
    EXPECT_THAT(ids(), IsEmpty());
    host.devices[0].max_vfs = Error{Error::Kind::io, "EIO"};
    EXPECT_THAT(ids(), IsEmpty()); // unknown
}

TEST_F(DiagnoseHostTest, FindingsOfPlanHaveTheSameIdAndSentence)
{
    for (const auto *kind : {find_kind("connected-impossible"), find_kind("no-mode-file"), find_kind("mtu-limited"),
                             find_kind("profile-in-wrong-partition"), find_kind("partition-unasked"),
                             find_kind("pkey-taken"), find_kind("profile-for-other-port"), find_kind("not-carried"),
                             find_kind("parent-name-long"), find_kind("quirk-unread"), find_kind("quirk-refused")})
        expect_plan(kind);
}

TEST_F(DiagnoseHostTest, FindingOfALowerLayerIsNotRepeated)
{
    Finding f{find_kind("mtu-limited"), test::ifname("ib0")};
    profile().findings = {f};
    port->state = PortState::init;
    port->sm_lid = 0U;
    port->interfaces[0].carrier = false;
    EXPECT_THAT(ids(), ElementsAre("no-subnet-manager"_id));
    f.kind = find_kind("pkey-not-in-table");
    host.profiles[0].findings = {f};
    port->state = PortState::active;
    port->sm_lid = 1U;
    port->interfaces[0].carrier = true;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseHostTest, StrayFilesAreReported)
{
    using Why = StrayFile::Why;
    const std::pair<Why, const char *> all[] = {
        {Why::permissions, "keyfile-permissions"_id}, {Why::broken, "keyfile-broken"_id},
        {Why::not_loaded, "keyfile-not-loaded"_id},   {Why::ifcfg_type, "ifcfg-without-type"_id},
        {Why::ifcfg_unread, "ifcfg-unread"_id},       {Why::ifupdown2, "ifupdown2-infiniband"_id},
        {Why::ifcfg_used, "ifcfg-in-use"_id},         {Why::no_profile, "words-without-profile"_id},
        {Why::boot_word, "boot-word-ethernet"_id}};
    for (const auto &[why, id] : all) {
        host.files = {{why, "/etc/file", "ib0"}};
        ASSERT_THAT(ids(), ElementsAre(id));
        EXPECT_THAT(seen(only()), HasSubstr("/etc/file"));
    }
}

TEST_F(DiagnoseHostTest, GeneratedKeyfileIsFixedInItsSource)
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
        EXPECT_THAT(mend(only()), HasSubstr("nmcli connection modify uuid b bond.options mode="));
        EXPECT_THAT(commands(only()), IsEmpty());
        EXPECT_EQ(mended_by(only()), Trouble::By::hands);
        host.profiles.front() = {.id = "x", .file = path, .interface = "ib0", .vfs = 3};
        EXPECT_THAT(mend(only()), HasSubstr("mlxconfig")); // of the machine, independent of the profile's source
        host.profiles.front() = {.id = "x", .file = path, .interface = "ib0", .bond_mode = "802.3ad", .bond_uuid = "b"};
        host.profiles.front().file = "/etc/NetworkManager/system-connections/ib0.nmconnection";
        EXPECT_THAT(mend(only()), HasSubstr("nmcli connection modify uuid b "));
        host.profiles.clear();
    }
}

TEST_F(DiagnoseHostTest, ProfileOfANameThatEndsAtTheNextBootIsReported)
{
    NamingWorld world;
    world.ports = {test::port("storage")};
    const auto judge = [&] {
        host.naming = std::make_shared<NamingWorld>(world);
        return ids();
    };
    EXPECT_THAT(judge(), IsEmpty()) << "no profile";
    host.profiles = {{.id = "x", .interface = "storage"}, {.id = "c", .interface = "storage.8002"}};
    EXPECT_THAT(judge(), ElementsAre("profile-loses-port"_id));
    EXPECT_THAT(seen(only()), HasSubstr("x, c"));
    EXPECT_THAT(commands(only()), ElementsAre(CommandLine{"nm-ib", "name", "set", "storage", "storage"}));
    for (const char *file : {"[Match]\nType=infiniband\n[Link]\nName=storage\n",
                             "[Match]\nHost=somewhere\n[Link]\nName=storage\n"}) { // the second may match this host
        world.configs = {test::config("10-own.link", file)};
        EXPECT_THAT(judge(), IsEmpty()) << file;
    }
    world.configs.clear();
    world.rules = {{.path = "r", .name = "st%k", .verdicts = {Verdict::perhaps}}};
    EXPECT_THAT(judge(), IsEmpty()) << "a rule may name it";
    world.rules.front().verdicts = {Verdict::no};
    EXPECT_THAT(judge(), ElementsAre("profile-loses-port"_id));
    world.ports.front().interface->properties["ID_NET_NAME_PATH"] = "storage";
    EXPECT_THAT(judge(), IsEmpty());
    world.ports = {test::port("ib0")};
    host.profiles = {{.id = "x", .interface = "ib0"}};
    EXPECT_THAT(judge(), IsEmpty()) << "the kernel's name";
    world.configs = {test::config({test::port_name("storage"), ByGuid{test::guid(test::first_guid)}})};
    EXPECT_THAT(judge(), ElementsAre("profile-loses-port"_id));
    EXPECT_THAT(commands(only()), ElementsAre(CommandLine{"nm-ib", "name", "set", "ib0", "storage", "--now"}));
}

TEST_F(DiagnoseHostTest, NameThatDoesNotHoldIsReported)
{
    NamingWorld world;
    world.ports = {test::port("mlx4_ib0")};
    world.configs = {test::config({test::port_name("mlx4_ib0"), ByGuid{test::guid(test::first_guid)}})};
    host.naming = std::make_shared<NamingWorld>(world);
    EXPECT_THAT(ids(), IsEmpty());
    world.ports = {test::port("ib0")};
    host.naming = std::make_shared<NamingWorld>(world);
    profile(Target::none).interface = "mlx4_ib0";
    ASSERT_THAT(ids(), ElementsAre("name-at-next-boot"_id)) << "nor is the profile without an interface";
    EXPECT_EQ(only().severity, Severity::note);
    host.named = true;
    EXPECT_THAT(ids(), IsEmpty()) << "of the profile alone nothing is wrong";
    host.named = false;
    host.profiles.clear();
    world.ports.clear(); // the card was removed
    host.naming = std::make_shared<NamingWorld>(world);
    EXPECT_THAT(ids(), ElementsAre("name-does-not-hold"_id));
}

TEST_F(DiagnoseHostTest, LinkFileThatMatchesAWholeAddressIsReported)
{
    NamingWorld world;
    world.ports = {test::port("ib0")};
    const auto file = [&](const std::string &match) {
        world.configs = {test::config("10.link", "[Match]\n" + match + "\n[Link]\nName=first\n")};
        host.naming = std::make_shared<NamingWorld>(world);
    };
    file("MACAddress=" + test::first_address);
    ASSERT_THAT(ids(), ElementsAre("link-file-by-address"_id));
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

} // namespace
} // namespace nmib
