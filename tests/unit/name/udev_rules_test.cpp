// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/name/udev_files.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;

struct UdevRulesTest : testing::Test {
    test::Tree tree;
    NamingWorld world;

    UdevRulesTest()
    {
        world.ports.resize(2);
        world.ports[1].number = 2;
    }

    /// "file:line name" in the order of reading.
    std::vector<std::string> found()
    {
        const auto read = read_udev_rules(world, tree.path());
        EXPECT_TRUE(read) << read.error().what;
        std::vector<std::string> all;
        for (const auto &r : world.rules)
            all.push_back(r.path.substr(tree.path().size()) + ":" + std::to_string(r.line) + " " + r.name);
        return all;
    }
};

TEST_F(UdevRulesTest, FilesAreSortedByNameAndTheFirstDirectoryWins)
{
    EXPECT_THAT(found(), ElementsAre());
    tree.file("etc/udev/rules.d/90-a.rules", "NAME=\"a\"\n");
    tree.file("usr/lib/udev/rules.d/90-a.rules", "NAME=\"hidden\"\n");
    tree.file("usr/lib/udev/rules.d/10-b.rules", "\nNAME:=\"b\"\n");
    tree.file("run/udev/rules.d/50-c.rules", "");
    tree.file("usr/local/lib/udev/rules.d/50-c.rules", "NAME=\"masked\"\n");
    tree.link("etc/udev/rules.d/60-d.rules", "/dev/null");
    tree.file("usr/lib/udev/rules.d/60-d.rules", "NAME=\"masked\"\n");
    tree.link("etc/udev/rules.d/61-e.rules", "nowhere");
    tree.file("elsewhere", "NAME=\"f\"\n");
    tree.link("etc/udev/rules.d/62-f.rules", "../../../elsewhere");
    tree.file("etc/udev/rules.d/70-g.rules.before", "NAME=\"no\"\n");
    EXPECT_THAT(found(), ElementsAre("/usr/lib/udev/rules.d/10-b.rules:2 b", "/etc/udev/rules.d/62-f.rules:1 f",
                                     "/etc/udev/rules.d/90-a.rules:1 a"));
    tree.fifo("etc/udev/rules.d/95-h.rules");
    EXPECT_FALSE(read_udev_rules(world, tree.path()));
}

TEST_F(UdevRulesTest, OnlyRulesThatNameInterfacesAreKept)
{
    tree.file("etc/udev/rules.d/70-a.rules", "SUBSYSTEM==\"block\", NAME=\"node\"\n"
                                             "SUBSYSTEM==\"net\", NAME==\"x\", ENV{A}=\"1\"\n"
                                             "NAME==\"\", ENV{ID_NET_NAME}!=\"\", NAME=\"$env{ID_NET_NAME}\"\n"
                                             "SUBSYSTEM==\"net\", ATTR{dev_port}==\"1\", \\\n NAME=\"mlx4_ib1\"\n");
    EXPECT_THAT(found(), ElementsAre("/etc/udev/rules.d/70-a.rules:5 mlx4_ib1"));
    EXPECT_THAT(world.rules[0].verdicts, ElementsAre(Verdict::no, Verdict::yes));
}

TEST_F(UdevRulesTest, MaskedNetSetupLinkRulesAreReported)
{
    tree.file("usr/lib/udev/rules.d/80-net-setup-link.rules",
              "IMPORT{builtin}=\"path_id\"\n\nIMPORT{builtin}=\"net_setup_link\"\n");
    EXPECT_THAT(found(), ElementsAre());
    EXPECT_EQ(world.link_files_off, "");
    tree.link("run/udev/rules.d/80-net-setup-link.rules", "/dev/null");
    EXPECT_THAT(found(), ElementsAre());
    EXPECT_EQ(world.link_files_off, tree.path("run/udev/rules.d/80-net-setup-link.rules"));
    tree.file("etc/udev/rules.d/80-net-setup-link.rules", "# IMPORT{builtin}=\"net_setup_link\"\n");
    EXPECT_THAT(found(), ElementsAre());
    EXPECT_EQ(world.link_files_off, tree.path("etc/udev/rules.d/80-net-setup-link.rules"));
}

} // namespace
} // namespace nmib
