// SPDX-License-Identifier: LGPL-2.1-or-later
// What keyfiles say of profiles: all of them, as NetworkManager would load them, or nothing.
#include "cli/daemon/keyfiles.hpp"
#include "tree.hpp"

#include <ctime>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace nmib::cli
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr const char *uuid = "c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001", *other = "c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0002";

std::string keyfile(const std::string &id, const std::string &of, const std::string &more = "")
{
    return "[connection]\nid=" + id + "\nuuid=" + of + "\ntype=infiniband\n" + more +
           "\n[infiniband]\ntransport-mode=datagram\n";
}

TEST(KeyfileName, AsNetworkManagerReadsThem)
{
    const std::string etc = "/etc/NetworkManager/system-connections", run = "/run/NetworkManager/system-connections";
    for (const auto *name : {"ib0.nmconnection", "warewulf-ib0.conf", "ib0", "ib0.bak", "ib0.rpmsave", "a b", "ib.0"})
        EXPECT_TRUE(is_keyfile_name(etc, name)) << name;
    for (const auto *name : {"", ".ib0.nmconnection", "ib0~", "ib0.rpmnew", "ib0.A1b2C3", "key.pem", "cert.DER"})
        EXPECT_FALSE(is_keyfile_name(etc, name)) << name;
    EXPECT_TRUE(is_keyfile_name(run, "netplan-ib0.nmconnection"));
    for (const auto *name : {"ib0", "warewulf-ib0.conf", ".nmconnection", ".x.nmconnection"})
        EXPECT_FALSE(is_keyfile_name(run, name)) << name;
}

class KeyfilesTest : public testing::Test
{
protected:
    void SetUp() override
    {
        if (geteuid() != 0) GTEST_SKIP() << "only root's files are loaded";
        tree.dir("run");
        tree.dir("etc");
    }
    void add(const std::string &file, const std::string &text, int mode = 0600) const
    {
        tree.file("etc/" + file, text, static_cast<mode_t>(mode));
    }
    std::optional<std::vector<ProfileRef>> scan() const
    {
        return scan_keyfiles({tree.path("run"), tree.path("etc"), tree.path("absent")});
    }
    std::vector<std::string> ids() const
    {
        std::vector<std::string> all;
        for (const auto &ref : scan().value_or(std::vector<ProfileRef>{{.id = "(only the daemon knows)"}}))
            all.push_back(ref.id);
        return all;
    }
    void expect_left_to_daemon(const std::string &text) const
    {
        add("odd.nmconnection", text);
        EXPECT_FALSE(scan()) << text;
        tree.remove("etc/odd.nmconnection");
        EXPECT_TRUE(scan());
    }
    test::Tree tree;
};

TEST_F(KeyfilesTest, WhatAProfileIsCalled)
{
    const auto before = std::time(nullptr);
    add("a.nmconnection", keyfile("a\\sb ü", uuid, "interface-name=ib0\n"));
    const auto all = scan();
    ASSERT_TRUE(all && all->size() == 1);
    const auto &ref = all->front();
    EXPECT_EQ(ref.id, "a b ü");
    EXPECT_EQ(ref.uuid, uuid);
    EXPECT_EQ(ref.type, "infiniband");
    EXPECT_EQ(ref.interface, "ib0");
    EXPECT_EQ(ref.file, tree.path("etc/a.nmconnection"));
    EXPECT_EQ(ref.path, "");
    EXPECT_GE(ref.changed, before);
    EXPECT_LE(ref.changed, std::time(nullptr));
    EXPECT_EQ(find_ref(*all, &ProfileRef::uuid, uuid), &ref);
    EXPECT_EQ(find_ref(*all, &ProfileRef::uuid, other), nullptr);
}

TEST_F(KeyfilesTest, TheLastOfTwoCounts)
{
    add("a.nmconnection", keyfile("first", uuid, "id=second\n#id=third\nid[de]=vierter\n"));
    add("b.nmconnection", keyfile("a\\\\b", other, "id = spaced \n"));
    EXPECT_THAT(ids(), UnorderedElementsAre("second", "spaced "));
}

TEST_F(KeyfilesTest, NamesOfNetworkManagersOwn)
{
    add("e.nmconnection", "# by hand\n\n[connection]\nuuid=C1F5AB11-7A52-4FD0-9F5B-5F8E4D8E0001\ntype=ethernet\n");
    const auto all = scan();
    ASSERT_TRUE(all && all->size() == 1);
    EXPECT_EQ(all->front().type, "802-3-ethernet");
    EXPECT_EQ(all->front().uuid, uuid);
    EXPECT_EQ(all->front().id, "e");
}

TEST_F(KeyfilesTest, EarlierDirectoriesHideLaterOnes)
{
    add("a.nmconnection", keyfile("stored", uuid));
    add("b.nmconnection", keyfile("other", other));
    tree.file("run/a.nmconnection", keyfile("in memory", uuid), 0600);
    EXPECT_THAT(ids(), ElementsAre("in memory", "other"));
    add("c.nmconnection", keyfile("copied", other)); // in one directory they are both told: the number will not fit
    EXPECT_THAT(ids(), UnorderedElementsAre("in memory", "other", "copied"));
}

TEST_F(KeyfilesTest, WhatNetworkManagerDoesNotLoad)
{
    add("a.nmconnection", keyfile("a", uuid));
    add("loose.nmconnection", keyfile("loose", other), 0640);
    add("without suffix", keyfile("x", other));
    add(".hidden.nmconnection", keyfile("x", other));
    tree.dir("etc/dir.nmconnection");
    tree.fifo("etc/fifo.nmconnection");
    tree.link("etc/nowhere.nmconnection", "/nowhere");
    tree.link("etc/itself.nmconnection", "itself.nmconnection");
    EXPECT_THAT(ids(), ElementsAre("a"));
}

TEST_F(KeyfilesTest, ALinkIsLoadedAndMayAlwaysHaveChanged)
{
    tree.file("elsewhere", keyfile("linked", uuid), 0600);
    tree.link("etc/l.nmconnection", tree.path("elsewhere"));
    const auto all = scan();
    ASSERT_TRUE(all && all->size() == 1);
    EXPECT_EQ(all->front().id, "linked");
    EXPECT_EQ(all->front().file, tree.path("etc/l.nmconnection"));
    EXPECT_EQ(all->front().changed, std::numeric_limits<std::time_t>::max());
}

TEST_F(KeyfilesTest, WhatOnlyTheDaemonKnows)
{
    EXPECT_THAT(ids(), IsEmpty());
    for (const char *bad : {"no uuid", "", "\xff\xfe", "c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e00", "{}"})
        expect_left_to_daemon(keyfile("x", bad));
    for (const std::string text :
         {"", "no keyfile", "[infiniband]\n", "[connection]\nid=x\ntype=infiniband\n", "[connection]\nid=x\nuuid=x",
          "[connection]\nid=x\nuuid=c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001\n", "[connection]\nrubbish\n"})
        expect_left_to_daemon(text);
    expect_left_to_daemon(keyfile("x", uuid) + "[connection]\nid=y\n");
    expect_left_to_daemon(keyfile("x", uuid) + std::string(1, '\0'));
    expect_left_to_daemon(keyfile("x", uuid, std::string(1 << 16, 'x') + "=1\n"));
}

TEST_F(KeyfilesTest, ANameThatIsNoTextIsNone)
{
    add("named.nmconnection", keyfile("\xfe\xff", uuid));
    EXPECT_THAT(ids(), ElementsAre("named"));
}

TEST_F(KeyfilesTest, ALongFileIsReadAsFarAsNeeded)
{
    add("long.nmconnection", keyfile("long", uuid) + "\n[user]\nx=" + std::string(200'000, 'x') + "\n");
    EXPECT_THAT(ids(), ElementsAre("long"));
}

TEST_F(KeyfilesTest, ADirectoryThatCannotBeListed)
{
    tree.file("file", "");
    EXPECT_FALSE(scan_keyfiles({tree.path("file")}));
}

} // namespace
} // namespace nmib::cli
