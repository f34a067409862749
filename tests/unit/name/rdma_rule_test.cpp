// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/naming_world.hpp"
#include "core/name/rdma_rule.hpp"
#include "name_make.hpp"
#include "probe/name/udev_files.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using Code = NameState::Code;
using test::port_name;
using testing::ElementsAre;
using testing::HasSubstr;

const Guid node{0x0002c903000a0000};

TEST(RdmaRule, TextHasTheNameAndTheNodeGuid)
{
    const auto text = rdma_rule_text(port_name("storage"), node);
    EXPECT_THAT(text, HasSubstr("\nACTION==\"add\", SUBSYSTEM==\"infiniband\", KERNEL!=\"storage\", "
                                "ATTR{node_guid}==\"0002:c903:000a:0000\", "
                                "PROGRAM=\"rdma_rename %k NAME_FIXED storage\"\n"));
    EXPECT_TRUE(is_untouched(text));
    EXPECT_EQ(node_of(text), node);
}

TEST(RdmaRule, FileNameSortsBeforeThoseOfRdmaCore)
{
    const auto file = rdma_rule_file(port_name("storage"));
    EXPECT_EQ(file, "59-nm-infiniband-rdma-storage.rules");
    EXPECT_LT(file, "60-rdma-persistent-naming.rules");
    EXPECT_EQ(rdma_name_in(file), port_name("storage"));
    for (const char *other : {"59-nm-infiniband-rdma-.rules", "59-nm-infiniband-rdma-a b.rules", "a.rules",
                              "59-nm-infiniband-rdma-a.rules.before-nm-ib.bak", "59-nm-infiniband-rdma-"})
        EXPECT_FALSE(rdma_name_in(other)) << other;
}

TEST(RdmaRule, RulesOfTwoNodesOrNoneGiveNoNode)
{
    EXPECT_FALSE(node_of(""));
    EXPECT_FALSE(node_of("ACTION==\"add\", PROGRAM=\"rdma_rename %k NAME_FIXED a\"\n"));
    EXPECT_FALSE(node_of("ATTR{node_guid}==\"*\", NAME=\"a\"\n"));
    EXPECT_FALSE(node_of(
        "ATTR{node_guid}==\"0002:c903:000a:0000\", A=\"b\"\nATTR{node_guid}==\"0002:c903:000a:0001\", A=\"b\"\n"));
}

TEST(RdmaRule, NamesOfTheKernelAndOfRdmaCoreAreRefused)
{
    for (const char *bad : {"", "a b", "a/b", "%k", "mlx5_0", "hfi1_12", "ibp5s0", "ibP1p65s0", "ibs3", "ibo1",
                            "ibxb8599f0300fc6de4", "rocep1s0f1", "iwp1s0", "a\"b"})
        EXPECT_NE(rdma_name_fault(bad), "") << bad;
    for (const char *good : {"storage", "mlx5_hca0", "ib", "ib_0a", "ibstorage", "mlx5_"})
        EXPECT_EQ(rdma_name_fault(good), "") << good;
}

struct RdmaNames : testing::Test {
    test::Tree tree;
    NamingWorld world;
    RdmaNames()
    {
        world.devices = {{"mlx5_0", node, 1}, {"mlx5_1", Guid{2}, 1}};
        world.has_rdma_rename = true;
        add("storage", node);
    }
    void add(const char *name, Guid guid)
    {
        tree.file("etc/udev/rules.d/" + rdma_rule_file(port_name(name)), rdma_rule_text(port_name(name), guid));
    }
    std::vector<Code> codes()
    {
        EXPECT_TRUE(read_udev_rules(world, tree.path()));
        std::vector<Code> all;
        for (const auto &s : rdma_name_states(world)) all.push_back(s.code);
        return all;
    }
};

TEST_F(RdmaNames, StatesFollowTheDevices)
{
    EXPECT_THAT(codes(), ElementsAre(Code::next_boot));
    world.devices[1].name = "storage";
    EXPECT_THAT(codes(), ElementsAre(Code::taken));
    world.devices[1].name = "mlx5_1";
    world.has_rdma_rename = false;
    EXPECT_THAT(codes(), ElementsAre(Code::no_rdma_core));
    world.has_rdma_rename = true;
    world.devices[0].name = "storage";
    add("absent", Guid{7});
    EXPECT_THAT(codes(), ElementsAre(Code::no_port, Code::holds));
}

TEST_F(RdmaNames, ARuleThatRenamesEarlierIsNamed)
{
    tree.file("etc/udev/rules.d/50-mine.rules",
              "# mine\nACTION==\"add\", SUBSYSTEM==\"infiniband\", PROGRAM=\"rdma_rename %k NAME_PCI\"\n");
    tree.file("usr/lib/udev/rules.d/60-rdma-persistent-naming.rules",
              "ACTION==\"add\", SUBSYSTEM==\"infiniband\", PROGRAM=\"rdma_rename %k NAME_FALLBACK\"\n");
    EXPECT_THAT(codes(), ElementsAre(Code::rule_wins));
    ASSERT_EQ(world.earlier_renames.size(), 1U);
    EXPECT_THAT(text(rdma_name_states(world)[0]), HasSubstr("50-mine.rules:2 may rename it first"));
}

TEST_F(RdmaNames, AFileChangedByHandIsOdd)
{
    tree.file("etc/udev/rules.d/59-nm-infiniband-rdma-storage.rules", "# mine\n");
    EXPECT_THAT(codes(), ElementsAre(Code::odd));
}

} // namespace
} // namespace nmib
