// SPDX-License-Identifier: LGPL-2.1-or-later
/// The effects of the rdma.* words.
#include "apply/rdma/words.hpp"
#include "core/rdma/plan.hpp"
#include "id.hpp"
#include "make.hpp"
#include "probe/rdma/facts.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

struct RdmaPlanTest : testing::Test {
    RdmaFacts facts{.link = test::ifname("eth0"), .ifindex = 3};
    RdmaWords words;
    RdmaMade made;

    void ask(std::string_view name, std::string_view value) { ASSERT_TRUE(set(words, *find_rdma_word(name), value)); }
    RdmaPlan plan() const
    {
        return plan_rdma(facts, words, made, "p", [](unsigned vf) { return Guid{0x0200000000000000UL + vf}; });
    }
    std::vector<std::string> steps() const
    {
        std::vector<std::string> all;
        for (const auto &s : plan().steps) all.push_back(text(s));
        return all;
    }
    std::vector<std::string> ids() const
    {
        std::vector<std::string> all;
        for (const auto &f : plan().findings) all.emplace_back(f.kind->id);
        return all;
    }
    void port(RoceValues now = {RoceMode::v2, 0})
    {
        facts.ports = {{.device = "mlx5_0", .port = 1, .has_v1 = true, .has_v2 = true, .roce = now}};
        facts.devices = {"mlx5_0"};
    }
};

TEST_F(RdmaPlanTest, NoWordsGiveNoSteps)
{
    port();
    EXPECT_THAT(steps(), IsEmpty());
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(RdmaPlanTest, RoceModeIsSetOnceAndRestored)
{
    ask("rdma.roce-mode", "v1");
    EXPECT_THAT(ids(), ElementsAre("rdma-device-missing"_id));
    port();
    EXPECT_THAT(steps(), ElementsAre("RoCE mode of mlx5_0/1: v1"));
    port({RoceMode::v1, 0});
    made.was["mlx5_0/1"] = {RoceMode::v2, std::nullopt};
    EXPECT_THAT(steps(), IsEmpty());
    ask("rdma.roce-mode", "");
    EXPECT_THAT(steps(), ElementsAre("RoCE mode of mlx5_0/1: v2"));
    EXPECT_TRUE(std::get<SetRoce>(plan().steps[0]).back);
}

TEST_F(RdmaPlanTest, UnavailableRoceModeIsReported)
{
    ask("rdma.roce-mode", "v1");
    port();
    facts.ports[0].has_v1 = false;
    EXPECT_THAT(ids(), ElementsAre("rdma-roce-version"_id));
    EXPECT_THAT(steps(), IsEmpty());
    facts.ports[0].has_cm = false;
    EXPECT_THAT(ids(), ElementsAre("rdma-no-cm"_id));
    facts.ports[0].layer = LinkLayer::iwarp;
    EXPECT_THAT(ids(), ElementsAre("rdma-no-roce"_id));
}

TEST_F(RdmaPlanTest, SoftDeviceIsMadeAndRemoved)
{
    ask("rdma.soft-rdma", "rxe");
    EXPECT_THAT(steps(), ElementsAre("RDMA device rxe_eth0 made on eth0"));
    facts.devices = {"rxe_eth0"};
    EXPECT_THAT(ids(), ElementsAre("rdma-name-taken"_id));
    facts.ports = {{.device = "rxe_eth0"}};
    EXPECT_THAT(steps(), IsEmpty()); // another program made this device
    made.soft = "rxe_eth0";
    facts.ports.clear(); // another interface has a device with this name now
    ask("rdma.soft-rdma", "none");
    EXPECT_THAT(steps(), IsEmpty());
    facts.ports = {{.device = "rxe_eth0"}};
    ask("rdma.soft-rdma", "siw");
    EXPECT_THAT(steps(), ElementsAre("RDMA device rxe_eth0 removed", "RDMA device siw_eth0 made on eth0"));
    ask("rdma.soft-rdma", "none");
    EXPECT_THAT(steps(), ElementsAre("RDMA device rxe_eth0 removed"));
    made.soft.clear();
    EXPECT_THAT(steps(), IsEmpty()); // not made by nm-infiniband
}

TEST_F(RdmaPlanTest, SoftDeviceOfARenamedInterfaceStays)
{
    ask("rdma.soft-rdma", "rxe");
    made.soft = "rxe_eth7";
    facts.devices = {"rxe_eth7"};
    facts.ports = {{.device = "rxe_eth7"}};
    EXPECT_THAT(steps(), IsEmpty());
    EXPECT_THAT(ids(), IsEmpty());
    ask("rdma.soft-rdma", "none");
    EXPECT_THAT(steps(), ElementsAre("RDMA device rxe_eth7 removed"));
}

TEST_F(RdmaPlanTest, VirtualFunctionsGetTheirGuids)
{
    ask("rdma.vf-guids", "0=0002:c903:000a:0001,2=0002:c903:000a:0003");
    EXPECT_THAT(ids(), ElementsAre("rdma-no-vf"_id));
    facts.vfs = {{.number = 0}, {.number = 1}, {.number = 2, .bound = true}};
    EXPECT_THAT(steps(), ElementsAre("GUID of virtual function 0: 0002:c903:000a:0001",
                                     "GUID of virtual function 2: 0002:c903:000a:0003"));
    EXPECT_THAT(ids(), ElementsAre("rdma-vf-bound"_id));
    facts.vfs[2].in_use = true;
    EXPECT_THAT(ids(), ElementsAre("rdma-vf-in-use"_id));
    facts.vfs[0].node = facts.vfs[0].port = *Guid::parse("0002:c903:000a:0001");
    EXPECT_THAT(steps(), IsEmpty());
    ask("rdma.vf-guids", "auto");
    EXPECT_THAT(steps(), ElementsAre("GUID of virtual function 0: 0200:0000:0000:0000",
                                     "GUID of virtual function 1: 0200:0000:0000:0001"));
}

TEST_F(RdmaPlanTest, RemovedWordIsRestoredAndTheOtherKept)
{
    port({RoceMode::v1, 7});
    made.was["mlx5_0/1"] = {RoceMode::v2, 0};
    ask("rdma.roce-mode", "v1");
    EXPECT_THAT(steps(), ElementsAre("type of service of mlx5_0/1: 0"));
    port({RoceMode::v1, 0});
    made = made_after_steps(facts, words, made);
    EXPECT_EQ(made.was["mlx5_0/1"].mode, RoceMode::v2);
    EXPECT_FALSE(made.was["mlx5_0/1"].tos); // later changes of others are left alone
    words.roce_mode.reset();
    EXPECT_TRUE(made_after_steps(facts, words, made).empty());
}

TEST_F(RdmaPlanTest, LastProfileOfAPortDecides)
{
    port({RoceMode::v1, 0});
    facts.ports[0].others.mode = RoceMode::v1;
    facts.ports[0].first.mode = RoceMode::v2;
    facts.ports[0].other = "parent";
    ask("rdma.roce-mode", "v2");
    EXPECT_THAT(steps(), ElementsAre("RoCE mode of mlx5_0/1: v2"));
    EXPECT_THAT(ids(), ElementsAre("rdma-contended"_id));
    made = made_before_steps(facts, words, plan(), made);
    EXPECT_EQ(made.was["mlx5_0/1"].mode, RoceMode::v2); // from before both profiles
    facts.ports[0].roce.mode = RoceMode::v2;
    words.roce_mode.reset();
    EXPECT_THAT(steps(), ElementsAre("RoCE mode of mlx5_0/1: v1")); // the other profile's
    EXPECT_THAT(ids(), IsEmpty());
    facts.ports[0].others = {};
    EXPECT_THAT(steps(), IsEmpty());
}

TEST_F(RdmaPlanTest, PortThatLeftTheBondIsRestored)
{
    port({RoceMode::v1, 0});
    facts.devices.emplace_back("mlx5_1");
    made.was["mlx5_0/1"] = made.was["mlx5_1/1"] = {RoceMode::v2, std::nullopt};
    made.was["mlx5_2/1"] = {RoceMode::v2, std::nullopt}; // an absent device, which may return
    ask("rdma.roce-mode", "v1");
    EXPECT_THAT(steps(), ElementsAre("RoCE mode of mlx5_1/1: v2"));
    made = made_after_steps(facts, words, made);
    EXPECT_FALSE(made.was.contains("mlx5_1/1"));
    EXPECT_TRUE(made.was.contains("mlx5_2/1"));
}

TEST_F(RdmaPlanTest, VirtualFunctionInUseGetsAGuidOnlyIfItHasNone)
{
    const auto guid = *Guid::parse("0002:c903:000a:0001");
    ask("rdma.vf-guids", "0=0002:c903:000a:0001");
    facts.vfs = {{.number = 0, .node = Guid{}, .port = Guid{}, .bound = true, .read = Guid{}, .in_use = true}};
    EXPECT_THAT(steps(), ElementsAre("GUID of virtual function 0: 0002:c903:000a:0001"));
    EXPECT_THAT(ids(), ElementsAre("rdma-vf-bound"_id));
    facts.vfs[0].bound = false; // another driver
    EXPECT_THAT(ids(), ElementsAre("rdma-vf-in-use"_id));
    facts.vfs[0].bound = true;
    facts.vfs[0].file = "mlx4's, where 0 is one that the subnet manager gives";
    EXPECT_THAT(ids(), ElementsAre("rdma-vf-in-use"_id));
    facts.vfs[0].file.clear();
    made = made_before_steps(facts, words, plan(), made);
    facts.vfs[0].node = facts.vfs[0].port = guid;
    EXPECT_THAT(steps(), IsEmpty());
    EXPECT_THAT(ids(), ElementsAre("rdma-vf-bound"_id)); // until the driver is bound again
    facts.vfs[0].read = guid;
    EXPECT_THAT(ids(), IsEmpty());
    EXPECT_FALSE(made_after_steps(facts, words, made).empty());
    ask("rdma.vf-guids", "");
    EXPECT_THAT(ids(), ElementsAre("rdma-vf-in-use"_id));
    facts.vfs[0].in_use = false;
    EXPECT_THAT(steps(), ElementsAre("GUID of virtual function 0: 0000:0000:0000:0000"));
    facts.vfs[0].node = facts.vfs[0].port = Guid{};
    EXPECT_TRUE(made_after_steps(facts, words, made).empty());
}

struct VfTest : testing::Test {
    test::Tree tree;
    std::string function = "devices/pci/0000:02:00.1/";
    std::optional<unsigned> users = 0;

    VfTest()
    {
        tree.link("class/net/ib0/device", "../../../devices/pci/0000:02:00.0");
        tree.link("devices/pci/0000:02:00.0/virtfn0", "../0000:02:00.1");
    }
    void bind(const std::string &driver) { tree.link(function + "driver", "../../../bus/pci/drivers/" + driver); }
    VfNow look() const
    {
        VfNow vf;
        const auto sysfs = Dir::open(tree.path());
        look_who_has_it(
            *sysfs, "ib0", [&](const std::string &device) { return device == "mlx5_1" ? users : std::nullopt; }, vf);
        return vf;
    }
};

TEST_F(VfTest, FunctionIsInUseUnlessSeenIdle)
{
    EXPECT_FALSE(look().in_use); // no function, or no driver
    bind("vfio-pci");
    EXPECT_TRUE(look().in_use && !look().bound);
    tree.remove(function + "driver");
    bind("mlx5_core");
    EXPECT_TRUE(look().in_use && look().bound); // the interface may be in a container
    tree.file(function + "net/ib2/flags", "0x1002\n");
    EXPECT_TRUE(look().in_use);
    tree.file(function + "infiniband/mlx5_1/node_type", "1: CA\n");
    EXPECT_FALSE(look().in_use);
    users = 1;
    EXPECT_TRUE(look().in_use);
    users.reset();
    EXPECT_TRUE(look().in_use);
    users = 0;
    tree.file(function + "net/ib2/flags", "0x1003\n");
    EXPECT_TRUE(look().in_use);
    tree.file(function + "net/ib2/flags", "0x1002\n");
    tree.file(function + "net/ib3/flags", "0x1003\n");
    EXPECT_TRUE(look().in_use);
}

TEST_F(VfTest, Mlx4GuidsAreReadFromSysfs)
{
    const std::string iov = "class/infiniband/mlx4_0/iov/";
    tree.link("devices/pci/0000:02:00.0/virtfn1", "../0000:02:00.2");
    tree.file(iov + "0000:02:00.1/ports/1/gid_idx/0", "1\n");
    tree.file(iov + "0000:02:00.2/ports/1/gid_idx/0", "2\n");
    tree.file(iov + "ports/1/admin_guids/1", "0\n");
    tree.file(iov + "ports/1/admin_guids/2", "2c903000a0002\n"); // without leading zeros
    const auto sysfs = Dir::open(tree.path());
    const auto all = read_admin_guids(*sysfs, "mlx4_0", 1, "ib0");
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].port, Guid{0});
    EXPECT_EQ(all[1].port, Guid{0x0002c903000a0002});
    EXPECT_THAT(read_admin_guids(*sysfs, "mlx5_0", 1, "ib0"), IsEmpty());
    auto rtnl = Rtnl::open();
    ASSERT_TRUE(rtnl);
    ASSERT_TRUE(set_vf_guid(
        *sysfs, *rtnl, {.vf = 0, .to = {Guid{0x0002c903000a0001}, Guid{0x0002c903000a0001}}, .file = all[0].file}));
    EXPECT_EQ(*sysfs->read(iov + "ports/1/admin_guids/1"), "0002c903000a0001");
    EXPECT_FALSE(
        set_vf_guid(*sysfs, *rtnl, {.vf = 9, .to = {Guid{1}, Guid{1}}, .file = iov + "ports/1/admin_guids/9"}));
}

TEST(RdmaFactsTest, VlanUsesTheDeviceOfItsParent)
{
    const test::Tree tree;
    const std::string port = "class/infiniband/mlx5_7/ports/1/";
    tree.file("class/infiniband/mlx5_7/node_type", "1: CA\n");
    tree.file(port + "link_layer", "Ethernet\n");
    tree.file(port + "state", "4: ACTIVE\n");
    tree.file(port + "gid_attrs/ndevs/0", "eth0\n");
    tree.file(port + "gid_attrs/types/0", "RoCE v2\n");
    for (unsigned i = 1; i < 100; i++) tree.dir(port + "gid_attrs/types/" + std::to_string(i)); // unreadable: free
    tree.file(port + "gid_attrs/types/20", "IB/RoCE v1\n");
    tree.file(port + "gid_attrs/ndevs/99", "eth9\n");
    tree.file(port + "gid_attrs/types/99", "RoCE v2\n");
    tree.file("class/net/eth0/type", "1\n");
    tree.link("class/net/eth0.7/lower_eth0", "../eth0");
    tree.link("class/net/bond0/lower_eth0.7", "../eth0.7");
    const auto sysfs = Dir::open(tree.path());
    for (const auto *name : {"eth0", "eth0.7", "bond0"}) {
        const auto facts = read_rdma_facts(*sysfs, {.ifindex = 1 << 30, .name = test::ifname(name)});
        ASSERT_EQ(facts.ports.size(), 1U) << name;
        EXPECT_EQ(facts.ports[0].label(), "mlx5_7/1");
        EXPECT_TRUE(facts.ports[0].has_v1 && facts.ports[0].has_v2);
    }
    EXPECT_THAT(read_rdma_facts(*sysfs, {.ifindex = 1 << 30, .name = test::ifname("eth9")}).ports, IsEmpty());
    EXPECT_EQ(interfaces_below(*sysfs, test::ifname("bond0")).size(), 2U);
}

TEST(RdmaMade, TextIsReadBack)
{
    RdmaMade made{.was = {{"mlx5_0/1", {RoceMode::v2, 7}}, {"mlx5_1/2", {std::nullopt, 0}}},
                  .vfs = {{3, {Guid{1}, Guid{}}}},
                  .soft = "rxe_eth0",
                  .folders = {"mlx5_0"}};
    const auto read = RdmaMade::parse("profile x\nroce-mode=v1\n" + made.str());
    EXPECT_EQ(read.str(), made.str());
    EXPECT_EQ(read.vfs, made.vfs);
    EXPECT_TRUE(RdmaMade::parse("was\nsoft\nwas a b c d\n\n").soft.empty());
}

TEST(AutomaticGuid, GuidIsStableAndUnique)
{
    const Guid port{0x0002c903000a0001};
    const auto guid = [&](std::string_view machine, unsigned vf) { return automatic_guid(machine, port, vf); };
    // SHA-256 of "0123456789abcdef0123456789abcdef 00:02:c9:03:00:0a:00:01 0", with the two bits
    EXPECT_EQ(guid("0123456789abcdef0123456789abcdef", 0), (Guid{0x6adc3211742ccbb0}));
    EXPECT_NE(guid("0123456789abcdef0123456789abcdef", 0), guid("0123456789abcdef0123456789abcdef", 1));
    EXPECT_NE(guid("0123456789abcdef0123456789abcdef", 0), guid("1123456789abcdef0123456789abcdef", 0));
    for (unsigned vf = 0; vf < 100; vf++) {
        const auto first = guid("0123456789abcdef0123456789abcdef", vf).value >> 56;
        EXPECT_EQ(first & 3U, 2U);
    }
}

} // namespace
} // namespace nmib
