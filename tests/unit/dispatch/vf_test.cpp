// SPDX-License-Identifier: LGPL-2.1-or-later
// GUIDs of virtual functions: over rtnetlink as for mlx5, in sysfs as for mlx4, and automatic ones.
#include "dispatch/rdma_world.hpp"

#include <cerrno>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Action = Event::Action;

struct GuidTest : RdmaWorld {
    const Guid first{0x0002c903000a0001}, second{0x0002c903000a0002};
    const std::string iov = "class/infiniband/mlx4_0/iov/";

    GuidTest()
    {
        file = profile("");
        const std::string port = SysTree::at(SysTree::hca, "ports/1/");
        tree.file(port + "link_layer", "InfiniBand\n");
        tree.file(port + "lid", "0x1\n");
        tree.file(port + "gids/0", "fe80:0000:0000:0000:f452:1403:007b:e1b1\n");
        tree.link(SysTree::at(SysTree::hca, "device"), "../..");
        kernel.vf_guids = {{0, {}}, {1, {}}};
    }
    Lines up() const { return on(Action::up, "ib0"); }
};

TEST_F(GuidTest, GuidsAreSetOnceAndRestored)
{
    kernel.vf_guids[1] = {second, second};
    words("vf-guids=0=0002:c903:000a:0001\n");
    EXPECT_EQ(up(), note("ib0: GUID of virtual function 0: 0002:c903:000a:0001 (profile 'office')"));
    EXPECT_EQ(kernel.vf_guids[0], (VfGuid{first, first}));
    EXPECT_EQ(kernel.vf_guids[1], (VfGuid{second, second}));
    EXPECT_EQ(kept(4), "link ib0\nprofile office\nvf-guids=0=0002:c903:000a:0001\n"
                       "vf 0 0000:0000:0000:0000 0000:0000:0000:0000\n");
    EXPECT_THAT(up(), IsEmpty());
    words("");
    EXPECT_EQ(up(), note("ib0: GUID of virtual function 0: 0000:0000:0000:0000 (profile 'office')"));
    EXPECT_FALSE(has_kept(4));
    EXPECT_EQ(kernel.vf_guids[0], VfGuid{});
}

TEST_F(GuidTest, RefusedGuidIsAnErrorAndTriedAgain)
{
    words("vf-guids=0=0002:c903:000a:0001\n");
    kernel.no_change = EOPNOTSUPP;
    EXPECT_EQ(up(), of(Severity::error, "ib0: GUID of virtual function 0: Operation not supported"));
    EXPECT_THAT(kept(4), HasSubstr("vf 0 "));
    kernel.no_change = 0;
    EXPECT_EQ(up().size(), 1U);
}

TEST_F(GuidTest, AutomaticGuidComesFromTheMachineId)
{
    tree.file("etc/machine-id", "0123456789abcdef0123456789abcdef\n");
    words("vf-guids=auto\n");
    EXPECT_EQ(up().size(), 2U);
    const Guid port{0xf4521403007be1b1};
    for (const unsigned vf : {0U, 1U}) {
        const auto guid = automatic_guid("0123456789abcdef0123456789abcdef", port, vf);
        EXPECT_EQ(kernel.vf_guids[vf], (VfGuid{guid, guid}));
    }
}

TEST_F(GuidTest, MissingMachineIdIsOneErrorAndSetsNoGuid)
{
    words("vf-guids=auto\n");
    kernel.vf_guids[2] = {};
    const auto missing = of(Severity::error, "ib0: /etc/machine-id cannot be read, skipping automatic GUIDs");
    EXPECT_EQ(up(), missing);
    EXPECT_EQ(kernel.vf_guids[0], VfGuid{});
    paths.root = tree.path("missing");
    EXPECT_EQ(up(), missing);
}

TEST_F(GuidTest, CardThatIsGoneHasNoFunctionsToRestore)
{
    tree.file("run/rdma-77", "link ib7\nprofile office\nvf-guids=0=0002:c903:000a:0001\nvf 0 0000:0000:0000:0000 "
                             "0000:0000:0000:0000\n");
    words("");
    EXPECT_THAT(up(), IsEmpty());
    EXPECT_FALSE(has_kept(77));
    EXPECT_EQ(kernel.writes, 0U);
}

TEST_F(GuidTest, Mlx4GuidIsWrittenToItsFile)
{
    tree.link(SysTree::at(SysTree::pci, "virtfn0"), "../0000:01:00.1");
    tree.file(iov + "0000:01:00.1/ports/1/gid_idx/0", "1\n");
    tree.file(iov + "ports/1/admin_guids/1", "0000000000000000\n");
    words("vf-guids=0=0002:c903:000a:0001\n");
    EXPECT_EQ(up().size(), 1U);
    EXPECT_EQ(tree.content(iov + "ports/1/admin_guids/1").substr(0, 16), "0002c903000a0001");
    EXPECT_EQ(kernel.writes, 0U);
    tree.file(iov + "ports/1/admin_guids/1", "0000000000000000\n");
    deny = fail("write", EPERM, "/admin_guids/1");
    EXPECT_EQ(up(), of(Severity::error, "ib0: /sys/" + iov + "ports/1/admin_guids/1: Operation not permitted"));
}

TEST(RdmaKept, TextIsReadBackAndLineBreaksAreReplaced)
{
    const auto kept = RdmaKept::parse("link eth0\nprofile a b\nroce-mode=v1\nwas mlx5_0/1 v2 -\n");
    EXPECT_EQ(kept.link, "eth0");
    EXPECT_EQ(kept.profile, "a b");
    EXPECT_EQ(kept.str(), "link eth0\nprofile a b\nroce-mode=v1\nwas mlx5_0/1 v2 -\n");
    EXPECT_EQ((RdmaKept{.link = "a\nb", .profile = "c\nd"}).str(), "link a\\x0ab\nprofile c\\x0ad\n");
}

TEST(RdmaKept, OnlyWordsAndPreviousValuesAreKept)
{
    EXPECT_TRUE((RdmaKept{.link = "eth0", .profile = "x"}).empty());
    EXPECT_TRUE(RdmaKept::parse("soft-rdma=none\n").empty());
    for (const auto *text : {"soft-rdma=rxe\n", "roce-tos=7\n", "soft rxe_eth0\n", "soft-rdma=none\nroce-tos=7\n"})
        EXPECT_FALSE(RdmaKept::parse(text).empty()) << text;
}

TEST(OtherProfiles, ValuesOfOtherInterfacesAreMarked)
{
    const std::map<int, RdmaKept> all = {
        {3, RdmaKept::parse("profile own\nroce-mode=v1\nwas mlx5_0/1 v2 9\n")},
        {4, RdmaKept::parse("profile first\nroce-mode=v1\nwas mlx5_0/1 v2 -\n")},
        {5, RdmaKept::parse("profile second\nroce-tos=7\nwas mlx5_0/1 - 3\n")},
        {6, RdmaKept::parse("profile far\nroce-mode=v1\nroce-tos=8\nwas mlx5_1/1 v2 4\n")},
        {7, RdmaKept::parse("profile ended\nwas mlx5_2/1 v2 4\n")},
    };
    std::vector<RdmaPortNow> ports = {{.device = "mlx5_0"}, {.device = "mlx5_2"}, {.device = "mlx5_3"}};
    mark_other_profiles(all, 3, ports);
    EXPECT_EQ(ports[0].first.mode, RoceMode::v2);
    EXPECT_EQ(ports[0].first.tos, 3U);
    EXPECT_EQ(ports[0].others.mode, RoceMode::v1);
    EXPECT_EQ(ports[0].others.tos, 7U);
    EXPECT_EQ(ports[0].other, "second");
    EXPECT_EQ(ports[1].first.tos, 4U);
    EXPECT_TRUE(ports[1].others.empty());
    EXPECT_EQ(ports[1].other, "");
    EXPECT_TRUE(ports[2].first.empty() && ports[2].others.empty());
}

} // namespace
} // namespace nmib
