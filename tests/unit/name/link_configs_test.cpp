// SPDX-License-Identifier: LGPL-2.1-or-later
#include "name_make.hpp"
#include "probe/name/udev_files.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

struct LinkConfigsTest : testing::Test {
    test::Tree tree;
    const std::string etc = "etc/systemd/network/", run = "run/systemd/network/",
                      local = "usr/local/lib/systemd/network/", usr = "usr/lib/systemd/network/";

    std::vector<LinkConfig> read() const
    {
        auto all = read_link_configs(tree.path());
        EXPECT_TRUE(all) << all.error().what;
        return all ? *all : std::vector<LinkConfig>{};
    }
    /// The paths of the files, relative to the tree.
    std::vector<std::string> paths() const
    {
        std::vector<std::string> paths;
        for (const auto &c : read()) paths.push_back(c.path.substr(tree.path().size() + 1));
        return paths;
    }
    static std::string type(const char *value) { return std::string("[Match]\nType=") + value + "\n"; }
};

TEST_F(LinkConfigsTest, NoDirectoriesGiveNoFiles) { EXPECT_THAT(paths(), ElementsAre()); }

TEST_F(LinkConfigsTest, FilesAreSortedByNameAndTheFirstDirectoryWins)
{
    tree.file(usr + "99-default.link", type("a"));
    tree.file(usr + "10-a.link", type("a"));
    tree.file(local + "20-b.link", type("a"));
    tree.file(run + "10-a.link", type("b"));
    tree.file(etc + "70-z.link", type("a"));
    tree.file(etc + "20-b.link", type("b"));
    for (const char *other : {"a.network", ".hidden.link", ".nm-infiniband.7", "b.link~", "c.link.dpkg-new"})
        tree.file(etc + other, type("x"));
    EXPECT_THAT(paths(), ElementsAre(run + "10-a.link", etc + "20-b.link", etc + "70-z.link", usr + "99-default.link"));
    EXPECT_EQ(read()[0].entries[0].value, "b");
    EXPECT_EQ(read()[0].file, "10-a.link");
    EXPECT_EQ(read()[0].text, type("b"));
}

TEST_F(LinkConfigsTest, EmptyFileOrLinkToNowhereMasksTheFile)
{
    for (const char *name : {"1", "2", "3", "4", "5", "6", "7"}) tree.file(usr + name + ".link", type("a"));
    tree.link(etc + "1.link", "/dev/null");
    tree.file(etc + "2.link", "");
    tree.link(etc + "3.link", "null");
    tree.link(etc + "null", "/dev/null"); // through another link
    tree.link(etc + "4.link", "nothing/there");
    tree.dir(etc + "5.link");
    tree.file(etc + "6.link", "# nothing\n");
    EXPECT_THAT(paths(), ElementsAre(etc + "6.link", usr + "7.link"));
    EXPECT_TRUE(read()[0].entries.empty());
}

TEST_F(LinkConfigsTest, SymlinksToFilesAndDirectoriesAreFollowed)
{
    tree.file("opt/x.conf", type("a"));
    tree.link("opt/second", "x.conf");
    tree.link(etc + "1.link", "../../../opt/second");
    tree.link(etc + "2.link", tree.path("opt/x.conf"));
    EXPECT_THAT(paths(), ElementsAre(etc + "1.link", etc + "2.link"));
    EXPECT_EQ(read()[0].entries.size(), 1U);
    tree.link("run/systemd/network", tree.path("opt/net")); // also a directory
    tree.file("opt/net/0.link", type("a"));
    EXPECT_THAT(paths(), ElementsAre(run + "0.link", etc + "1.link", etc + "2.link"));
}

TEST_F(LinkConfigsTest, DropInsAreReadAfterTheFileInNameOrder)
{
    tree.file(usr + "a.link", "[Match]\nType=a\n[Link]\nName=a\n");
    tree.file(usr + "a.link.d/20.conf", "[Link]\nName=u20\n");
    tree.file(usr + "a.link.d/30.conf", "[Link]\nName=u30\n");
    tree.file(usr + "a.link.d/99.txt", "[Link]\nName=x\n");
    tree.file(usr + "b.link.d/99.conf", "[Link]\nName=x\n");
    tree.file(etc + "a.link.d/10.conf", "Name=x\n[Link]\nName=e10\n"); // the file has its own section
    tree.file(run + "a.link.d/20.conf", "[Link]\nName=r20\n");
    const auto names = [&] {
        std::vector<std::string> all;
        const auto configs = read();
        for (const auto &e : configs.at(0).entries)
            if (e.key == "Name") all.push_back(e.value);
        return all;
    };
    EXPECT_THAT(names(), ElementsAre("a", "e10", "r20", "u30"));
    EXPECT_EQ(read()[0].value("Link", "Name"), "u30");
    EXPECT_EQ(read()[0].text, "[Match]\nType=a\n[Link]\nName=a\n");
    tree.link(etc + "a.link.d/30.conf", "/dev/null");
    EXPECT_THAT(names(), ElementsAre("a", "e10", "r20"));
    tree.file(etc + "a.link.d/40.conf", "[Match]\nType=\n");
    EXPECT_THAT(read()[0].words("Match", "Type"), ElementsAre());
}

TEST_F(LinkConfigsTest, FileThatUdevRefusesHasNoEntries)
{
    tree.file(etc + "a.link", type("a") + "[Link\n");
    tree.file(etc + "b.link", type("b"));
    tree.file(run + "b.link.d/x.conf", "[Link\n");
    tree.file(etc + "c.link", type("c"));
    EXPECT_THAT(paths(), ElementsAre(etc + "a.link", etc + "b.link", etc + "c.link"));
    EXPECT_TRUE(read()[0].entries.empty());
    EXPECT_TRUE(read()[1].entries.empty());
    EXPECT_EQ(read()[2].entries.size(), 1U);
}

TEST_F(LinkConfigsTest, UnreadableFileIsAnErrorWithItsPath)
{
    const auto fails = [&](const std::string &name) {
        const auto all = read_link_configs(tree.path());
        EXPECT_FALSE(all) << name;
        EXPECT_THAT(all ? "" : all.error().what, HasSubstr(tree.path(name)));
        tree.remove(name);
        EXPECT_TRUE(read_link_configs(tree.path()));
    };
    tree.file(etc + "good.link", type("a"));
    tree.fifo(etc + "a.link");
    fails(etc + "a.link");
    tree.sparse(etc + "a.link", off_t{2} << 20);
    fails(etc + "a.link");
    tree.link(etc + "a.link", "a.link");
    fails(etc + "a.link");
    tree.fifo(etc + "good.link.d/x.conf");
    fails(etc + "good.link.d/x.conf");
    tree.file("run/systemd/network", "no directory");
    fails("run/systemd/network");
}

/// 64 ports and 300 files: a quadratic algorithm would take too long.
TEST_F(LinkConfigsTest, HundredsOfFilesAndPortsAreMatchedInTime)
{
    std::vector<PortIdentity> ports;
    for (unsigned n = 1; n <= 64; n++) ports.push_back(test::port("ib" + std::to_string(n), n));
    for (unsigned n = 0; n < 300; n++)
        tree.file((n % 2 ? etc : usr) + std::to_string(1000 + n) + ".link",
                  n < 64 ? text(LinkFile{test::port_name("p" + std::to_string(n)), ByGuid{ports[n].guid}})
                         : "[Match]\nType=ether\nDriver=a b c d\nProperty=ID_PATH=pci-* ID_X=y\n[Link]\nName=x\n");
    const auto start = std::chrono::steady_clock::now();
    const auto all = read();
    ASSERT_EQ(all.size(), 300U);
    for (unsigned n = 0; n < 64; n++) ASSERT_EQ(winner(all, ports[n]), &all[n]);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cout << took.count() * 1000 << " ms\n";
    EXPECT_LT(took.count(), 5);
    // a file of a megabyte takes linear time
    std::string large = "[Match]\n";
    while (large.size() < 1000000) large += "Type=ether\n\\\n";
    tree.file(etc + "0.link", large);
    EXPECT_EQ(matches(read().at(0), ports[0]), Verdict::no);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10);
}

} // namespace
} // namespace nmib
