// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"
#include "core/merge/merge.hpp"
#include "id.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PortNetdev netdev(const char *name, std::uint16_t key, int parent = 0)
{
    PortNetdev n{.ifindex = 4, .name = test::ifname(name)};
    n.parent = parent;
    n.infiniband = n.up = n.carrier = true;
    n.pkey = PKey::from(key);
    n.mode = TransportMode::datagram;
    return n;
}

RdmaPort port(unsigned number, const char *interface)
{
    RdmaPort p{.number = number};
    p.layer = LinkLayer::infiniband;
    p.state = PortState::active;
    p.phys_state = PhysState::link_up;
    p.lid = 3U;
    p.sm_lid = 1U;
    p.guid = Guid{0x0002c903000a0000U + number};
    p.pkeys = std::vector<PKeyEntry>{{0, test::pkey(0xffff)}, {1, test::pkey(0x8002)}, {2, test::pkey(0x0003)}};
    p.interfaces = {netdev(interface, 0xffff)};
    return p;
}

/// A card with two ports in use, and a child on the first.
struct DiagnoseTest : testing::Test {
    Host host;
    RdmaPort *first, *second;

    DiagnoseTest()
    {
        RdmaDevice d{.name = "mlx4_0"};
        d.bus = "0000:05:00.0";
        d.node_guid = Guid{0x0002c903000a0000};
        d.ports = {port(1, "ib0"), port(2, "ib1")};
        d.ports[0].interfaces.push_back(netdev("ib0.8002", 0x8002, 4));
        host.devices.push_back(std::move(d));
        host.wanted = {"ib0", "ib0.8002", "ib1"};
        first = &host.devices[0].ports[0];
        second = &host.devices[0].ports[1];
    }
    std::vector<std::string> ids() const
    {
        std::vector<std::string> all;
        for (const auto &t : diagnose(host)) all.emplace_back(t.kind->id);
        return all;
    }
    static void lose_carrier(RdmaPort &port)
    {
        for (auto &n : port.interfaces) n.carrier = false;
    }
};

TEST_F(DiagnoseTest, HealthyMachineHasNoFindings) { EXPECT_THAT(ids(), IsEmpty()); }

TEST_F(DiagnoseTest, MachineWithoutRdmaDevicesHasNoFindings)
{
    host.devices.clear();
    for (const auto *name : {"ib_ipoib", "ib_umad"}) host.modules[name] = {KernelModule::State::loadable, {}};
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseTest, PortWithoutACableIsPolling)
{
    second->state = PortState::down;
    second->phys_state = PhysState::polling;
    second->sm_lid = 0U;
    lose_carrier(*second);
    const auto all = diagnose(host);
    ASSERT_THAT(ids(), ElementsAre("port-polling"_id));
    EXPECT_EQ(all[0].where, "mlx4_0/2");
    EXPECT_EQ(all[0].severity, Severity::error);
    EXPECT_THAT(all[0].consequences, ElementsAre("ib1"));
    host.wanted.erase("ib1");
    EXPECT_THAT(ids(), IsEmpty()); // not wanted
}

TEST_F(DiagnoseTest, DisabledPortIsReported)
{
    second->state = PortState::down;
    second->phys_state = PhysState::disabled;
    ASSERT_THAT(ids(), ElementsAre("port-disabled"_id));
    const auto t = diagnose(host)[0];
    EXPECT_EQ(mend(t), "Check the cable. To enable the port: ibportstate -C mlx4_0 -P 2 -D 0 2 enable");
    EXPECT_EQ(mended_by(t), Trouble::By::hands) << "a person disabled it, and no HCA of the lab can be";
}

TEST_F(DiagnoseTest, TrainingPortIsReported)
{
    second->state = PortState::down;
    second->phys_state = PhysState::training;
    EXPECT_THAT(ids(), ElementsAre("port-training"_id));
}

TEST_F(DiagnoseTest, PortInInitHasNoSubnetManager)
{
    first->state = PortState::init;
    first->sm_lid = 0U;
    lose_carrier(*first);
    const auto all = diagnose(host);
    ASSERT_THAT(ids(), ElementsAre("no-subnet-manager"_id));
    EXPECT_THAT(all[0].consequences, ElementsAre("ib0", "ib0.8002")); // neither P_Key nor group is reported
    EXPECT_EQ(seen(all[0]), "mlx4_0/1: no subnet manager has set up mlx4_0 port 1 (SM LID 0)");
    EXPECT_THAT(why(all[0]), HasSubstr("state Init"));
    EXPECT_THAT(advice(all[0]), HasSubstr("sminfo -C mlx4_0 -P 1"));
}

TEST_F(DiagnoseTest, StartingASubnetManagerKeepsThoseOfOtherPorts)
{
    first->state = PortState::init;
    first->sm_lid = 0U;
    lose_carrier(*first);
    const auto opensm = [&] { return text(commands(diagnose(host).at(0)).at(0)); };
    EXPECT_EQ(opensm(), "nm-ib host opensm 0002:c903:000a:0001") << "the other port's is on another host";
    second->sm_lid = second->lid;
    EXPECT_EQ(opensm(), "nm-ib host opensm 0002:c903:000a:0001 0002:c903:000a:0002");
    auto card = host.devices[0]; // excluded by the command line
    card.name = "mlx4_1";
    card.ports.erase(card.ports.begin());
    card.ports[0].guid = Guid{0x0002c90300ff0001};
    host.others = {card};
    EXPECT_EQ(opensm(), "nm-ib host opensm 0002:c903:000a:0001 0002:c903:000a:0002 0002:c903:00ff:0001");
    EXPECT_EQ(text(commands(diagnose(host).at(0)).back()), "systemctl start opensm");
}

TEST_F(DiagnoseTest, ArmedPortIsNotActive)
{
    first->state = PortState::armed;
    EXPECT_THAT(ids(), ElementsAre("port-not-active"_id));
}

TEST_F(DiagnoseTest, LostSubnetManagerIsAWarning)
{
    first->sm_lid = 0U;
    EXPECT_THAT(ids(), ElementsAre("subnet-manager-lost"_id));
    EXPECT_EQ(diagnose(host)[0].severity, Severity::warning);
    first->sm_lid = first->lid; // opensm ran on this port
    first->cap_mask = 0U;
    EXPECT_THAT(ids(), IsEmpty()) << "without opensm it may be a guest's virtual function";
    host.has_opensm = true;
    EXPECT_THAT(ids(), ElementsAre("subnet-manager-lost"_id));
    host.devices[0].physical_function = std::string("0000:05:00.0");
    EXPECT_THAT(ids(), IsEmpty()) << "its card has the same LID";
    host.devices[0].physical_function = Read<std::string>();
    first->cap_mask = 2U;
    EXPECT_THAT(ids(), IsEmpty()) << "it runs";
}

TEST_F(DiagnoseTest, VirtualFunctionWithoutAGuidIsReported)
{
    host.devices[0].physical_function = std::string("0000:06:00.0");
    host.devices[0].node_guid = Guid{0};
    EXPECT_THAT(ids(), ElementsAre("vf-without-guid"_id, "vf-without-guid"_id));
}

TEST_F(DiagnoseTest, VirtualFunctionWithItsLinkDownIsReported)
{
    host.devices[0].physical_function = std::string("0000:06:00.0");
    second->state = PortState::down;
    second->phys_state = PhysState::disabled;
    EXPECT_THAT(ids(), ElementsAre("vf-link-down"_id));
}

TEST_F(DiagnoseTest, PortDownOfTheCardIsReportedForItsVirtualFunction)
{
    auto card = host.devices[0];
    card.name = "mlx4_1";
    card.bus = "0000:06:00.0";
    card.ports[1].state = PortState::down;
    card.ports[1].phys_state = PhysState::polling;
    card.ports[1].interfaces = {netdev("ib3", 0xffff)};
    host.devices[0].physical_function = card.bus;
    second->state = PortState::down;
    second->phys_state = PhysState::disabled;
    for (auto *list : {&host.others, &host.devices}) {
        list->push_back(card);
        ASSERT_THAT(ids(), ElementsAre("port-polling"_id)) << "no profile is for the card's port";
        EXPECT_EQ(diagnose(host)[0].where, "mlx4_1/2");
        host.others.clear();
    }
    host.wanted.insert("ib3");
    ASSERT_THAT(ids(), ElementsAre("port-polling"_id)) << "once";
}

TEST_F(DiagnoseTest, PortDownWithoutAProfileIsReportedOnlyIfNamed)
{
    host.wanted.erase("ib1");
    for (const auto state : {PhysState::disabled, PhysState::training, PhysState::polling}) {
        second->state = PortState::down;
        second->phys_state = state;
        host.named = false;
        EXPECT_THAT(ids(), IsEmpty());
        host.named = true;
        EXPECT_EQ(ids().size(), 1U) << "the command names it";
    }
}

TEST_F(DiagnoseTest, VirtualFunctionWithoutASubnetManagerIsReported)
{
    auto card = host.devices[0];
    card.name = "mlx4_1";
    card.bus = "0000:06:00.0";
    host.devices[0].physical_function = card.bus;
    host.devices.push_back(card);
    first = &host.devices[0].ports[0];
    first->state = PortState::init;
    first->sm_lid = 0U;
    EXPECT_THAT(ids(), ElementsAre("vf-without-subnet-manager"_id));
}

TEST_F(DiagnoseTest, MissingIpoibModuleIsReported)
{
    for (auto *p : {first, second}) p->interfaces.clear();
    EXPECT_THAT(ids(), IsEmpty()); // may be in another namespace
    host.modules["ib_ipoib"] = {KernelModule::State::loadable, {}};
    EXPECT_THAT(ids(), IsEmpty()) << "no profile wants IPoIB";
    host.profiles.push_back({.id = "storage", .interface = "ib0", .autoconnect = true});
    ASSERT_THAT(ids(), ElementsAre("no-ipoib-module"_id));
    EXPECT_EQ(diagnose(host)[0].value, "mlx4_0/1, mlx4_0/2");
}

TEST_F(DiagnoseTest, CardWithoutItsModuleIsReported)
{
    host.bare_functions = {{"0000:07:00.0", "mlx5_core"}};
    ASSERT_THAT(ids(), ElementsAre("no-rdma-device"_id));
    const auto t = diagnose(host)[0];
    EXPECT_THAT(commands(t),
                ElementsAre(CommandLine{"modprobe", "mlx5_ib"}, CommandLine{"journalctl", "-k", "-g", "0000:07:00.0"}));
    EXPECT_EQ(mended_by(t), Trouble::By::hands) << "the lab has no such card, so that nothing shows that it mends";
    host.bare_functions = {{"0000:07:00.0", "mlx4_core"}};
    EXPECT_THAT(mend(diagnose(host)[0]), HasSubstr(": modprobe mlx4_ib; "));
}

TEST_F(DiagnoseTest, MissingUmadModuleIsReported)
{
    host.modules["ib_umad"] = {KernelModule::State::loadable, {}};
    EXPECT_THAT(ids(), ElementsAre("no-umad-module"_id));
}

TEST_F(DiagnoseTest, PKeyMissingInTheTableIsReported)
{
    host.wanted.insert("ib0.8099");
    first->interfaces.push_back(netdev("ib0.8099", 0x8099, 4));
    first->interfaces.back().carrier = false;
    ASSERT_THAT(ids(), ElementsAre("pkey-not-in-table"_id)); // without the group
    EXPECT_EQ(diagnose(host)[0].where, "ib0.8099");
    EXPECT_EQ(seen(diagnose(host)[0]), "ib0.8099: P_Key 0x8099 is not in the P_Key table of mlx4_0 port 1: no carrier "
                                       "until the subnet manager adds it"); // as in plan
    EXPECT_THAT(mend(diagnose(host)[0]), HasSubstr("NAME=0x8099, ipoib: ALL=full;"));
}

// The interface's own P_Key always has the membership bit, so the table decides.
TEST_F(DiagnoseTest, LimitedMemberIsAWarning)
{
    host.wanted.insert("ib0.8003");
    first->interfaces.push_back(netdev("ib0.8003", 0x8003, 4));
    ASSERT_THAT(ids(), ElementsAre("pkey-limited"_id));
    EXPECT_EQ(diagnose(host)[0].severity, Severity::warning);
    EXPECT_EQ(seen(diagnose(host)[0]), "ib0.8003: mlx4_0 port 1 is a limited member of the partition of P_Key 0x8003: "
                                       "it reaches full members only"); // as in plan
}

TEST_F(DiagnoseTest, MissingBroadcastGroupIsReported)
{
    first->interfaces[1].carrier = false;
    ASSERT_THAT(ids(), ElementsAre("no-broadcast-group"_id));
    const auto all = diagnose(host);
    EXPECT_EQ(all[0].where, "ib0.8002");
    EXPECT_THAT(seen(all[0]), HasSubstr("the broadcast group was not queried"));
    EXPECT_EQ(text(commands(all[0]).at(0)), "sminfo -C mlx4_0 -P 1");
    first->interfaces[1].up = false;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseTest, SharedSubnetIsMendedInProfilesWithAddresses)
{
    host.networks = {{"ib0", "10.0.0.0/24", false, "u0"}, {"ib1", "10.0.0.0/24", false, "u1"}};
    const auto by = [&] { return mended_by(diagnose(host).at(0)); };
    EXPECT_EQ(by(), Trouble::By::hands); // addresses from elsewhere
    host.profiles.push_back({.id = "u0", .uuid = "u0", .interface = "ib0", .networks = {"10.0.0.0/24"}});
    host.profiles.push_back({.id = "u1", .uuid = "u1", .interface = "ib1"});
    EXPECT_EQ(by(), Trouble::By::hands); // one from DHCP
    host.profiles.back().networks = {"10.0.1.0/24"};
    EXPECT_EQ(by(), Trouble::By::hands); // a cluster manager's address
    host.profiles.back().networks = {"10.0.0.0/24"};
    EXPECT_EQ(by(), Trouble::By::fix);
    EXPECT_THAT(commands(diagnose(host)[0]), ElementsAre(CommandLine{"nm-ib", "host", "rails", "ib0", "ib1"}));
    host.profiles.back().file = "/etc/NetworkManager/system-connections/warewulf-ib1.nmconnection";
    EXPECT_EQ(by(), Trouble::By::hands); // written again from elsewhere
    EXPECT_THAT(advice(diagnose(host)[0]), HasSubstr("an IP subnet of its own"));
}

TEST_F(DiagnoseTest, TwoInterfacesInOneSubnetAreReported)
{
    host.networks = {{"ib0", "10.0.0.0/24"}, {"ib0.8002", "10.0.2.0/24"}, {"ib1", "10.0.1.0/24"}};
    EXPECT_THAT(ids(), IsEmpty());
    host.networks[2].network = "10.0.0.0/24";
    ASSERT_THAT(ids(), ElementsAre("same-subnet"_id));
    EXPECT_EQ(seen(diagnose(host)[0]), "ib0, ib1 share the IP subnet 10.0.0.0/24");
    host.networks[0].is_rail = true;
    EXPECT_THAT(ids(), ElementsAre("same-subnet"_id)); // one of two
    host.networks[2].is_rail = true;
    EXPECT_THAT(ids(), IsEmpty()); // set up to share a subnet
    host.networks = {{"ib0", "10.0.0.0/24"}, {"ib0", "10.0.0.0/24"}};
    EXPECT_THAT(ids(), IsEmpty()); // a second address
}

TEST_F(DiagnoseTest, ManyInterfacesInOneSubnetAreOneFinding)
{
    host.profiles.push_back({.id = "all", .uuid = "all", .networks = {"10.0.0.0/24", "10.0.1.0/24"}});
    host.networks = {{"ib0", "10.0.0.0/24"}, {"ib1", "10.0.0.0/24"}, {"ib2", "10.0.0.0/24", true},
                     {"ib3", "10.0.1.0/24"}, {"ib4", "10.0.1.0/24"}, {"ib1", "10.0.0.0/24"}};
    for (auto &n : host.networks) n.uuid = "all";
    ASSERT_THAT(ids(), ElementsAre("same-subnet"_id, "same-subnet"_id));
    EXPECT_EQ(seen(diagnose(host)[0]), "ib0, ib1, ib2 share the IP subnet 10.0.0.0/24");
    EXPECT_THAT(commands(diagnose(host)[0]), ElementsAre(CommandLine{"nm-ib", "host", "rails", "ib0", "ib1", "ib2"}));
    EXPECT_THAT(commands(diagnose(host)[1]), ElementsAre(CommandLine{"nm-ib", "host", "rails", "ib3", "ib4"}));
}

TEST_F(DiagnoseTest, UnreadableValueIsNotReported)
{
    lose_carrier(*first);
    for (auto &n : first->interfaces) n.up = false;
    first->state = Error{Error::Kind::io, "EIO"};
    first->phys_state = Error{Error::Kind::io, "EIO"};
    first->sm_lid = Error{Error::Kind::io, "EIO"};
    first->pkeys = Error{Error::Kind::io, "EIO"};
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(DiagnoseTest, ErrorsComeFirst)
{
    first->sm_lid = 0U;
    second->state = PortState::down;
    second->phys_state = PhysState::polling;
    EXPECT_THAT(ids(), ElementsAre("port-polling"_id, "subnet-manager-lost"_id));
}

/// A trouble of this kind, with a value for each place of its sentences.
Trouble example(const Kind *kind)
{
    static std::set<std::string> names;
    Trouble t{.kind = kind, .where = "WHERE", .subject = "SUBJECT", .value = "VALUE", .uuid = "UUID"};
    for (const std::string text : {kind->seen, kind->why, kind->mend})
        for (auto at = text.find('{'); at != text.npos; at = text.find('{', at + 1))
            if (const auto name = text.substr(at + 1, text.find('}', at) - at - 1); !name.starts_with('{'))
                t.values.emplace_back(names.insert(name).first->c_str(), std::string("VALUE"));
    return t;
}

/// The commands of this kind depend on the machine.
bool is_filled_at_run_time(std::string_view id) { return id == "profile-loses-port"_id; }

TEST_F(DiagnoseTest, EveryKindHasIdTextAndManualEntry)
{
    std::set<std::string_view> ids;
    for (const auto *kind : trouble_kinds()) {
        SCOPED_TRACE(kind->id);
        EXPECT_TRUE(ids.insert(kind->id).second);
        const auto t = example(kind);
        for (const auto &text : {seen(t), why(t), mend(t)}) {
            EXPECT_FALSE(text.empty() && !is_filled_at_run_time(kind->id));
            EXPECT_EQ(text.find('{'), text.npos) << text;
            EXPECT_EQ(text.find('\n'), text.npos) << text;
        }
    }
    EXPECT_GT(ids.size(), 50U);
}

/// The lab test that runs the commands of each finding, and shows that the finding is gone.
const std::map<std::string_view, const char *> shown = {
    {"no-ipoib-module"_id, "doctor-ports"},
    {"no-umad-module"_id, "doctor-ports"},
    {"no-uverbs-module"_id, "doctor-link"},
    {"no-ucm-module"_id, "doctor-link"},
    {"counters-full"_id, "doctor-link"},
    {"subnet-manager-on-other-port"_id, "doctor-opensm"},
    {"no-subnet-manager"_id, "doctor-opensm"},
    {"pkey-looks-decimal"_id, "doctor-profiles"},
    {"bond-not-active-backup"_id, "doctor-profiles"},
    {"connected-impossible"_id, "doctor-profiles"},
    {"profile-for-other-port"_id, "doctor-profiles"},
    {"keyfile-permissions"_id, "doctor-profiles"},
    {"keyfile-not-loaded"_id, "doctor-profiles"},
    {"ifcfg-in-use"_id, "ifcfg.sh"},
    {"words-without-profile"_id, "doctor-profiles"},
    {"link-file-by-address"_id, "doctor-plugin"},
    {"profile-loses-port"_id, "doctor-plugin"},
    {"dispatcher-refused"_id, "doctor-host"},
    {"plugin-older"_id, "doctor-plugin"},
    {"selinux-label"_id, "selinux-label.sh, which tests/selinux runs"},
    {"nfs-rdma-not-listening"_id, "host-nfs"},
    {"same-subnet"_id, "host-rails"},
};

TEST_F(DiagnoseTest, CommandsHaveNoPlaceholdersAndEveryFixHasATest)
{
    auto kinds = trouble_kinds();
    for (const auto &kind : catalogue::merge_kinds) kinds.push_back(&kind);
    std::set<std::string_view> mended;
    for (const auto *kind : kinds) {
        SCOPED_TRACE(kind->id);
        if (kind->by != Trouble::By::hands) mended.insert(kind->id);
        const Trouble t{.kind = kind, .where = "w", .subject = "s", .value = "v", .hca = "h", .port = "1", .uuid = "u"};
        for (const auto &command : commands(t)) {
            ASSERT_FALSE(command.empty());
            for (const auto &word : command) {
                const bool has_capitals =
                    word.size() > 2 && word[0] != '-' && std::all_of(word.begin(), word.end(), [](char c) {
                        return (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
                    });
                EXPECT_FALSE(has_capitals) << word << " is a placeholder";
            }
        }
    }
    std::set<std::string_view> listed;
    for (const auto &[id, by] : shown) listed.insert(id);
    EXPECT_EQ(mended, listed);
}

TEST_F(DiagnoseTest, CommandsAreQuotedForAShell)
{
    EXPECT_EQ(text(CommandLine{"rm", "/a b", "", "it's", "+x=1,y"}), R"(rm '/a b' '' 'it'\''s' +x=1,y)");
}

} // namespace
} // namespace nmib
