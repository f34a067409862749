// SPDX-License-Identifier: LGPL-2.1-or-later
// The rdma.* words of profiles at each event: the values of the kernel, the kept file, and the lines of the log.
#include "dispatch/rdma_world.hpp"

#include "apply/plan/apply.hpp"

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

struct RdmaTest : RdmaWorld {
};

TEST_F(RdmaTest, WordsAreAppliedOnceAndRestoredWhenTheyAreRemoved)
{
    words("roce-mode=v1\nroce-tos=7\n");
    EXPECT_EQ(on(Action::up), note("eth0: RoCE mode of mlx5_0/1: v1, type of service of mlx5_0/1: 7 (profile "
                                   "'office')"));
    EXPECT_EQ(rdma.roce("mlx5_0"), "IB/RoCE v1 7");
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-mode=v1\nroce-tos=7\nwas mlx5_0/1 v2 0\n");
    EXPECT_FALSE(rdma.has_folder("mlx5_0"));
    for (const auto action : {Action::up, Action::reapply, Action::down}) EXPECT_THAT(on(action), IsEmpty());
    EXPECT_EQ(rdma.roce("mlx5_0"), "IB/RoCE v1 7") << "NetworkManager keeps the interface at down";
    words("roce-tos=7\n");
    EXPECT_EQ(on(Action::reapply), note("eth0: RoCE mode of mlx5_0/1: v2 (profile 'office')"));
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-tos=7\nwas mlx5_0/1 - 0\n");
    words("");
    EXPECT_EQ(on(Action::up), note("eth0: type of service of mlx5_0/1: 0 (profile 'office')"));
    EXPECT_EQ(rdma.roce("mlx5_0"), "RoCE v2 0");
    EXPECT_FALSE(has_kept(9));
    EXPECT_THAT(on(Action::up), IsEmpty());
}

TEST_F(RdmaTest, ValueIsKeptBeforeItIsChangedAndUnderTheLock)
{
    words("roce-mode=v1\n");
    std::vector<std::string> seen;
    deny = [&](std::string_view call, const std::string &what) {
        if (what.find(FakeRdma::configfs) == what.npos) return pass;
        EXPECT_TRUE(*Dir::open(tree.path("run"))->exists("rdma.lock")) << call;
        if (call == "mkdirat" || call == "write") seen.push_back(std::string(call) + "\n" + kept(9));
        return pass;
    };
    EXPECT_EQ(on(Action::up).size(), 1U);
    const std::string head = "link eth0\nprofile office\nroce-mode=v1\n", was = "was mlx5_0/1 v2 -\n";
    EXPECT_THAT(seen, ElementsAre("mkdirat\n" + head + "folder mlx5_0\n", "mkdirat\n" + head + was + "folder mlx5_0\n",
                                  "write\n" + head + was + "folder mlx5_0\n"));
    EXPECT_FALSE(*Dir::open(tree.path("run"))->exists("rdma.lock"));
}

TEST_F(RdmaTest, StepIsNotCarriedOutIfItsValueCannotBeKept)
{
    words("roce-mode=v1\n");
    deny = [&](std::string_view call, const std::string &what) {
        return call == "renameat" && what.ends_with("/rdma-9") ? EROFS : pass;
    };
    const auto why = "eth0: " + tree.path("run/rdma-9") + ": Read-only file system";
    EXPECT_EQ(on(Action::up), (Lines{{Severity::error, why}, {Severity::warning, why}}));
    EXPECT_EQ(rdma.roce("mlx5_0"), "RoCE v2 0");
    EXPECT_FALSE(has_kept(9));
}

TEST_F(RdmaTest, FolderOfAKilledHelperIsRemovedAndAnotherProgramsFolderKept)
{
    tree.file("run/rdma-9", "link eth0\nprofile office\nroce-tos=7\nwas mlx5_0/1 - 0\nfolder mlx5_0\nfolder old\n");
    deny = [&](std::string_view call, const std::string &) {
        if (call == "mkdirat") {
            EXPECT_THAT(kept(9), testing::Not(HasSubstr("folder old")));
        }
        return pass;
    };
    rdma.leave_folder("mlx5_0");
    words("roce-tos=7\n");
    EXPECT_EQ(on(Action::up), note("eth0: type of service of mlx5_0/1: 7 (profile 'office')"));
    EXPECT_FALSE(rdma.has_folder("mlx5_0"));
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-tos=7\nwas mlx5_0/1 - 0\n");
    rdma.leave_folder("mlx5_0");
    words("roce-tos=8\n");
    EXPECT_EQ(on(Action::up).size(), 1U);
    EXPECT_EQ(rdma.roce("mlx5_0"), "RoCE v2 8");
    EXPECT_TRUE(rdma.has_folder("mlx5_0"));
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-tos=8\nwas mlx5_0/1 - 0\n");
}

TEST_F(RdmaTest, ValueThatTheKernelKeepsIsAnErrorAndTriedAgain)
{
    words("roce-mode=v1\n");
    rdma.keeps = "default_roce_mode";
    const auto refused = of(Severity::error, "eth0: mlx5_0/1: the RoCE values were written, but other values are in "
                                             "effect");
    for (int i = 0; i < 2; i++) EXPECT_EQ(on(Action::up), refused);
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-mode=v1\nwas mlx5_0/1 v2 -\n");
    rdma.keeps.clear();
    EXPECT_EQ(on(Action::up), note("eth0: RoCE mode of mlx5_0/1: v1 (profile 'office')"));
    words("");
    rdma.keeps = "default_roce_mode";
    for (int i = 0; i < 2; i++) EXPECT_EQ(on(Action::up), refused);
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nwas mlx5_0/1 v2 -\n");
    rdma.keeps.clear();
    EXPECT_EQ(on(Action::up), note("eth0: RoCE mode of mlx5_0/1: v2 (profile 'office')"));
}

TEST_F(RdmaTest, ValueThatIsAlreadyRestoredNeedsNoStep)
{
    words("roce-mode=v1\n");
    (void)on(Action::up);
    rdma.devices["mlx5_0"].mode = "RoCE v2"; // by hand
    words("");
    EXPECT_THAT(on(Action::up), IsEmpty());
    EXPECT_FALSE(has_kept(9));
    unsigned folders = 0;
    deny = [&](std::string_view call, const std::string &) {
        folders += call == "mkdirat";
        return pass;
    };
    words("soft-rdma=rxe\n");
    EXPECT_EQ(on(Action::up).size(), 1U);
    EXPECT_EQ(folders, 0U) << "no word needs RDMA-CM's values";
}

TEST_F(RdmaTest, WordsWithoutADeviceWait)
{
    rdma.remove("mlx5_0");
    words("roce-mode=v1\n");
    EXPECT_EQ(on(Action::up), note("eth0: rdma.roce-mode waits: no RDMA device is on the interface yet"));
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-mode=v1\n");
    rdma.add("mlx5_3", "eth0");
    EXPECT_THAT(on_device("mlx5_4"), IsEmpty());
    EXPECT_EQ(rdma.roce("mlx5_3"), "RoCE v2 0");
    EXPECT_EQ(on_device("mlx5_3"), note("eth0: RoCE mode of mlx5_3/1: v1 (profile 'office')"));
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-mode=v1\nwas mlx5_3/1 v2 -\n");
}

TEST_F(RdmaTest, PortWithoutRoceOrRdmaCmIsReported)
{
    words("roce-mode=v1\n");
    tree.remove("module/rdma_cm");
    EXPECT_EQ(on(Action::up), of(Severity::warning, "eth0: rdma.roce-mode cannot be set on mlx5_0/1: the module "
                                                    "rdma_cm is not loaded (modprobe rdma_ucm)"));
    tree.dir("module/rdma_cm");
    tree.file("class/infiniband/mlx5_0/node_type", "4: RNIC\n");
    unsigned folders = 0;
    deny = [&](std::string_view call, const std::string &) {
        folders += call == "mkdirat";
        return pass;
    };
    EXPECT_EQ(on(Action::up), of(Severity::warning, "eth0: rdma.roce-mode has no effect on mlx5_0/1, which is not a "
                                                    "RoCE port; remove the word from profile 'office'"));
    EXPECT_EQ(folders, 0U);
}

TEST_F(RdmaTest, RenamedDeviceKeepsItsPreviousValues)
{
    words("roce-mode=v1\n");
    (void)on(Action::up);
    rdma.remove("mlx5_0");
    rdma.add("rocep1s0", "eth0");
    rdma.devices["rocep1s0"].mode = "IB/RoCE v1"; // the kernel keeps the value
    EXPECT_THAT(on_device("rocep1s0"), IsEmpty());
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-mode=v1\nwas rocep1s0/1 v2 -\n");
    // A second new device is not the renamed one.
    rdma.add("mlx5_9", "eth0");
    EXPECT_EQ(on_device("mlx5_9"), note("eth0: RoCE mode of mlx5_9/1: v1 (profile 'office')"));
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-mode=v1\nwas mlx5_9/1 v2 -\nwas rocep1s0/1 v2 -\n");
    rdma.remove("mlx5_9");
    EXPECT_THAT(on_device("rocep1s0"), IsEmpty()) << "already has previous values";
    EXPECT_EQ(kept(9), "link eth0\nprofile office\nroce-mode=v1\nwas mlx5_9/1 v2 -\nwas rocep1s0/1 v2 -\n");
}

TEST_F(RdmaTest, OtherPortOfARenamedDeviceIsNotTakenForIt)
{
    tree.file("run/rdma-9", "link eth0\nprofile office\nroce-mode=v1\nwas old/2 v2 -\nwas strange v2 -\n");
    EXPECT_EQ(on_device("mlx5_0"), note("eth0: RoCE mode of mlx5_0/1: v1 (profile 'office')"));
    EXPECT_THAT(kept(9), HasSubstr("was old/2 v2 -\n"));
}

TEST_F(RdmaTest, GoneInterfaceIsRestoredAtTheNextEventOfAnyInterface)
{
    words("roce-mode=v1\nroce-tos=7\n");
    (void)on(Action::up);
    tree.file("run/rdma-9", kept(9) + "vf 0 0002:c903:000a:0001 0002:c903:000a:0001\nsoft rxe_eth0\n");
    gone(9);
    EXPECT_EQ(on(Action::up, "eth1", "u-2"), note("eth0: RoCE mode of mlx5_0/1: v2, type of service of mlx5_0/1: 0 "
                                                  "(profile 'office')"));
    EXPECT_EQ(rdma.roce("mlx5_0"), "RoCE v2 0");
    EXPECT_FALSE(has_kept(9));
}

TEST_F(RdmaTest, InterfaceThatCannotBeReadIsNotSwept)
{
    words("roce-mode=v1\n");
    (void)on(Action::up);
    kernel.no_answer = ENOBUFS;
    EXPECT_EQ(on(Action::up), of(Severity::error, "eth0: No buffer space available"));
    EXPECT_EQ(on_device("mlx5_0"), of(Severity::error, "9: No buffer space available"));
    EXPECT_TRUE(has_kept(9));
    EXPECT_EQ(rdma.roce("mlx5_0"), "IB/RoCE v1 0");
}

TEST_F(RdmaTest, GoneDeviceNeedsNoRestoring)
{
    words("roce-mode=v1\n");
    (void)on(Action::up);
    gone(9);
    deny = [&](std::string_view call, const std::string &) {
        if (call == "mkdirat" && rdma.devices.contains("mlx5_0"))
            rdma.devices.erase("mlx5_0"); // sysfs is a moment behind
        return pass;
    };
    for (const auto &[severity, text] : on(Action::up, "eth1", "u-2")) EXPECT_NE(severity, Severity::error) << text;
    EXPECT_FALSE(has_kept(9));
}

TEST_F(RdmaTest, DeviceThatVanishesBeforeItsStepIsAnError)
{
    words("roce-mode=v1\n");
    deny = fail("mkdirat", ENODEV, "/mlx5_0", 1); // the first folder is for reading
    EXPECT_EQ(on(Action::up), of(Severity::error, "eth0: " + paths.configfs + "/mlx5_0: No such device"));
}

TEST_F(RdmaTest, FileWithoutAnInterfaceNameIsNotSwept)
{
    for (const auto *text : {"profile office\nwas mlx5_0/1 v1 -\n", "link a/b\nwas mlx5_0/1 v1 -\n"}) {
        tree.file("run/rdma-77", text);
        EXPECT_THAT(on(Action::up), IsEmpty());
        EXPECT_EQ(kept(77), text);
    }
    tree.file("run/rdma-77", "link eth7\nprofile other\nwas x v1 -\nwas mlx5_8/1 v1 -\nwas mlx5_0/1 v1 -\n");
    EXPECT_EQ(on(Action::up), note("eth7: RoCE mode of mlx5_0/1: v1 (profile 'other')"));
    EXPECT_EQ(rdma.roce("mlx5_0"), "IB/RoCE v1 0");
}

TEST_F(RdmaTest, InterfaceOnTopOfOthersIsRestoredAtDown)
{
    link(12, "eth0.7");
    tree.link("class/net/eth0.7/lower_eth0", "../eth0");
    for (const auto *type : {"DEVTYPE=vlan\n", "DEVTYPE=bond\n", "DEVTYPE=bridge\n", "DEVTYPE=wlan\n"}) {
        tree.file("class/net/eth0.7/uevent", std::string("INTERFACE=eth0.7\n") + type);
        words("roce-mode=v1\n");
        EXPECT_EQ(on(Action::up, "eth0.7").size(), 1U) << type;
        if (std::string_view(type) != "DEVTYPE=wlan\n") tree.remove("class/net/eth0.7/lower_eth0");
        EXPECT_EQ(on(Action::down, "eth0.7"), note("eth0.7: RoCE mode of mlx5_0/1: v2 (profile 'office')")) << type;
        EXPECT_FALSE(has_kept(12));
        EXPECT_THAT(on(Action::down, "eth0.7"), IsEmpty());
        tree.link("class/net/eth0.7/lower_eth0", "../eth0");
    }
    tree.remove("class/net/eth0.7/lower_eth0");
    tree.file("class/net/eth0.7/uevent", "DEVTYPE=wlan\n");
    tree.file("run/rdma-12", "link x\nprofile office\nwas mlx5_0/1 v1 -\n");
    EXPECT_THAT(on(Action::down, "eth0.7"), IsEmpty());
    EXPECT_TRUE(has_kept(12));
    tree.file("class/net/eth0.7/uevent", "DEVTYPE=vlan\n");
    EXPECT_EQ(on(Action::down, "eth0.7"), note("eth0.7: RoCE mode of mlx5_0/1: v1 (profile 'office')"))
        << "the name of now, not of the file";
}

TEST_F(RdmaTest, LastOfTwoProfilesDecidesAndTheOtherReturnsAtDown)
{
    link(12, "eth0.7");
    tree.link("class/net/eth0.7/lower_eth0", "../eth0");
    words("roce-mode=v1\nroce-tos=3\n");
    words("roce-mode=v2\nroce-tos=4\n", "u-2");
    (void)on(Action::up);
    EXPECT_EQ(
        on(Action::up, "eth0.7", "u-2"),
        (Lines{{Severity::note, "eth0.7: RoCE mode of mlx5_0/1: v2, type of service of mlx5_0/1: 4 (profile "
                                "'other')"},
               {Severity::warning, "eth0.7: profile 'office' requests another RoCE value of mlx5_0/1: the profile "
                                   "that was activated last overrides"}}));
    EXPECT_EQ(kept(12), "link eth0.7\nprofile other\nroce-mode=v2\nroce-tos=4\nwas mlx5_0/1 v2 0\n")
        << "the value before the first profile";
    EXPECT_EQ(on(Action::down, "eth0.7", "u-2"), note("eth0.7: RoCE mode of mlx5_0/1: v1, type of service of "
                                                      "mlx5_0/1: 3 (profile 'other')"));
    EXPECT_FALSE(has_kept(12));
    EXPECT_TRUE(has_kept(9));
}

TEST_F(RdmaTest, PortThatJoinsABondBringsADeviceForTheBondsWords)
{
    link(12, "bond0");
    words("roce-mode=v1\n");
    EXPECT_EQ(on(Action::up, "bond0"), note("bond0: rdma.roce-mode waits: no RDMA device is on the interface yet"));
    tree.link("class/net/bond0/lower_eth0", "../eth0");
    tree.link("class/net/eth0/master", "../bond0");
    EXPECT_EQ(on(Action::up, "eth0", "u-2"), note("bond0: RoCE mode of mlx5_0/1: v1 (profile 'office')"));
    EXPECT_FALSE(has_kept(9));
    EXPECT_EQ(kept(12), "link bond0\nprofile office\nroce-mode=v1\nwas mlx5_0/1 v2 -\n");
    EXPECT_THAT(on(Action::down, "eth0", "u-2"), IsEmpty());
}

TEST_F(RdmaTest, WordsThatMayNotBeAppliedAreReported)
{
    words("roce-mode=v3\nroce-tos=7\n");
    EXPECT_EQ(on(Action::up),
              (Lines{{Severity::warning, "eth0: profile 'office': rdma.roce-mode: 'v3' is not valid; valid: v1 or v2, "
                                         "or \"\" to remove the word"},
                     {Severity::note, "eth0: type of service of mlx5_0/1: 7 (profile 'office')"}}));
    file = ethernet_profile("permissions=user:alice:;\n");
    EXPECT_EQ(on(Action::up), (Lines{{Severity::warning, "eth0: profile 'office': " + private_profile_refusal().text()},
                                     {Severity::note, "eth0: type of service of mlx5_0/1: 0 (profile 'office')"}}))
        << "what an earlier version applied is undone";
    EXPECT_FALSE(has_kept(9));
    file = tree.path("missing");
    EXPECT_EQ(on(Action::up), of(Severity::error, "eth0: rdma.* words of profile 'office' cannot be read, ignoring: " +
                                                      file + ": No such file or directory"));
    words("");
    EXPECT_THAT(on(Action::up), IsEmpty()) << "without words, the profile is not read";
    words("skip=yes\nroce-tos=9\n");
    EXPECT_THAT(on(Action::up), IsEmpty());
    tree.file("etc/profiles/u-1", "roce-tos=7\n", 0666);
    EXPECT_EQ(on(Action::up), of(Severity::error, "eth0: rdma.* words of profile 'office' cannot be read, ignoring: " +
                                                      tree.path("etc/profiles/u-1") +
                                                      ": users other than root can write the file (chown root, chmod "
                                                      "go-w), ignoring"));
    EXPECT_EQ(rdma.roce("mlx5_0"), "RoCE v2 0");
}

TEST_F(RdmaTest, SkippedProfileKeepsTheEarlierValues)
{
    words("roce-tos=7\n");
    (void)on(Action::up);
    const auto before = kept(9);
    words("skip=yes\n");
    EXPECT_THAT(on(Action::up), IsEmpty());
    EXPECT_EQ(kept(9), before);
    EXPECT_EQ(rdma.roce("mlx5_0"), "RoCE v2 7");
}

TEST_F(RdmaTest, MissingSysfsOrInterfaceGivesNothing)
{
    words("roce-mode=v1\n");
    EXPECT_THAT(on(Action::up, "eth8"), IsEmpty());
    paths.sysfs = tree.path("missing");
    tree.file("run/rdma-9", "");
    EXPECT_THAT(on(Action::up), IsEmpty());
    EXPECT_FALSE(wants_rdma({ifname("eth0"), Action::down, "u-1", "office", file}, paths));
    EXPECT_TRUE(wants_rdma({ifname("eth0"), Action::up, "u-1", "office", file}, paths));
    EXPECT_EQ(rdma.roce("mlx5_0"), "RoCE v2 0");
}

TEST_F(RdmaTest, OnlyInterfacesWithWordsWantTheirEvents)
{
    const auto wants = [&](Action action, std::string_view name = "eth0", const std::string &uuid = "u-1") {
        return wants_rdma({ifname(name), action, uuid, "office", file}, paths);
    };
    const auto all = {Action::up, Action::reapply, Action::down, Action::pre_up};
    for (const auto action : all) EXPECT_FALSE(wants(action));
    for (const auto *text : {"roce-mode=v1\n", "roce-mode=v3\n"}) {
        words(text);
        EXPECT_TRUE(wants(Action::up) && wants(Action::reapply)) << text;
        EXPECT_FALSE(wants(Action::down) || wants(Action::pre_up)) << text;
    }
    for (const auto *uuid : {"", "..", "../profiles/u-1", "/u-1"})
        EXPECT_FALSE(wants(Action::up, "eth0", uuid)) << uuid;
    words("# nothing\n");
    EXPECT_FALSE(wants(Action::up));
    tree.file("etc/profiles/u-1", "", 0666);
    EXPECT_TRUE(wants(Action::up)) << "a file that cannot be trusted is reported";
    tree.file("run/rdma-9", "");
    EXPECT_TRUE(wants(Action::down) && wants(Action::up));
    EXPECT_FALSE(wants(Action::pre_up));
    link(1, "lo");
    tree.file("run/rdma-1", "");
    EXPECT_FALSE(wants(Action::down, "eth1", "u-2") || wants(Action::up, "eth1", "u-2"));
    tree.link("class/net/eth1/master", "../eth0");
    EXPECT_TRUE(wants(Action::down, "eth1", "u-2")) << "a port of an interface with words";
    tree.remove("class/net/eth1/master");
    gone(9);
    EXPECT_TRUE(wants(Action::down, "eth1", "u-2")) << "values of a gone interface are to be restored";
}

TEST_F(RdmaTest, FilesOfOtherNamesHoldNoWords)
{
    for (const auto *name : {"rdma-9", "rdma-10", "rdma-0", "rdma-2147483647"})
        tree.file(std::string("run/") + name, "");
    for (const auto *name :
         {"rdma.lock", "rdma-", "rdma-x", "rdma--1", "rdma-2147483648", "xrdma-7", "mtu-7", "rdma-9x"})
        tree.file(std::string("run/") + name, "");
    EXPECT_THAT(all_rdma_numbers(tree.path("run")), testing::UnorderedElementsAre(0, 9, 10, 2147483647));
    tree.remove("run/rdma-10");
    tree.dir("run/rdma-10");
    EXPECT_EQ(all_rdma_kept(tree.path("run")).size(), 3U) << "a file that cannot be read is skipped";
    EXPECT_THAT(all_rdma_numbers(tree.path("missing")), IsEmpty());
}

} // namespace
} // namespace nmib
