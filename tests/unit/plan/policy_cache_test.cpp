// SPDX-License-Identifier: LGPL-2.1-or-later
// Every change of the policy's files is noticed; unchanged files are not read again.
#include "probe/plan/policy.hpp"
#include "tree.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

struct PolicyCacheTest : testing::Test {
    test::Tree tree;
    PolicyCache cache{{tree.path("etc/nm-ib.conf"), tree.path("usr"), tree.path("etc/quirks.d")}};

    static std::string quirk(const std::string &name) { return "[" + name + "]\nFeature.tx-tcp-segmentation=off\n"; }
    std::string names()
    {
        std::string out;
        for (const auto &q : cache.read().policy.quirks) out += q.name + " ";
        return out;
    }
};

TEST_F(PolicyCacheTest, ChangedFilesAreReadAgain)
{
    EXPECT_EQ(names(), "");
    tree.file("usr/10.conf", quirk("a"));
    EXPECT_EQ(names(), "a ");
    tree.file("usr/10.conf", quirk("b")); // same size
    EXPECT_EQ(names(), "b ");
    tree.file("usr/20.conf", quirk("c"));
    EXPECT_EQ(names(), "b c ");
    tree.file("etc/quirks.d/10.conf", quirk("d"));
    EXPECT_EQ(names(), "d c ");
    tree.link("etc/quirks.d/20.conf", "/dev/null");
    EXPECT_EQ(names(), "d ");
    tree.remove("etc/quirks.d/10.conf");
    EXPECT_EQ(names(), "b ");
    tree.remove("etc/quirks.d/20.conf");
    EXPECT_EQ(names(), "b c ");
    tree.file("usr/20.conf", "nonsense");
    EXPECT_EQ(names(), "b ");
    EXPECT_EQ(cache.read().warnings.size(), 1U);
    tree.remove("usr/20.conf");
    EXPECT_EQ(cache.read().warnings.size(), 0U);
    tree.file("etc/nm-ib.conf", "[main]\nplugin=no\n");
    EXPECT_FALSE(cache.read().policy.plugin);
    tree.remove("etc/nm-ib.conf");
    EXPECT_TRUE(cache.read().policy.plugin);
}

TEST_F(PolicyCacheTest, UnchangedFilesAreNotReadAgain)
{
    tree.file("usr/10.conf", quirk("a"));
    const auto *first = cache.read().policy.quirks.data();
    EXPECT_EQ(cache.read().policy.quirks.data(), first);
    EXPECT_EQ(names(), "a ");
}

} // namespace
} // namespace nmib
