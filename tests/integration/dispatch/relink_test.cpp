// SPDX-License-Identifier: LGPL-2.1-or-later
#include "link/relink.hpp"
#include "temp_dir.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace nmib;
namespace fs = std::filesystem;

namespace
{
struct Relink : testing::Test {
    TempDir dir;
    LinkPaths paths{dir / "own/plugin.so", dir / "nm"};
    void SetUp() override
    {
        dir.write("own/plugin.so", "object");
        dir.write("nm/1.42.4/wifi.so", "");
    }
    std::string link(const std::string &version) const { return "nm/" + version + "/plugin.so"; }
};
} // namespace

TEST_F(Relink, LinksOnceAndFollowsAnUpgrade)
{
    const auto first = relink(paths, "1.42.4");
    ASSERT_TRUE(first) << first.error().what;
    EXPECT_EQ(first->size(), 1U);
    EXPECT_EQ(fs::read_symlink(dir / link("1.42.4")), paths.object);
    const auto again = relink(paths, "1.42.4");
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->empty());

    fs::remove(dir / "nm/1.42.4/wifi.so"); // the package of the old version went; our link keeps its directory alive
    dir.write("nm/1.52.1/wifi.so", "");
    const auto upgraded = relink(paths, "1.52.1");
    ASSERT_TRUE(upgraded) << upgraded.error().what;
    EXPECT_EQ(fs::read_symlink(dir / link("1.52.1")), paths.object);
    EXPECT_FALSE(dir.has("nm/1.42.4")) << "stale link and empty directory are gone";
}

TEST_F(Relink, MakesTheDirectoryOfADaemonWithoutPlugins)
{
    ASSERT_TRUE(relink(paths, "1.58.1"));
    EXPECT_TRUE(dir.has(link("1.58.1")));
}

TEST_F(Relink, TouchesNothingThatIsNotOurs)
{
    dir.write(link("1.42.4"), "somebody's");
    const auto r = relink(paths, "1.42.4");
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().what.find("1.42.4/plugin.so"), std::string::npos);
    EXPECT_EQ(dir.read(link("1.42.4")), "somebody's");
    dir.write("nm/1.40.0/keep", "");
    fs::create_symlink("/elsewhere/plugin.so", dir / link("1.40.0"));
    ASSERT_TRUE(unlink_all(paths));
    EXPECT_TRUE(dir.has(link("1.40.0")));
    EXPECT_TRUE(dir.has(link("1.42.4")));
}

TEST_F(Relink, RemovesItsLinksWhenTheObjectIsGone)
{
    ASSERT_TRUE(relink(paths, "1.42.4"));
    fs::remove(paths.object);
    EXPECT_FALSE(relink(paths, "1.42.4"));
    EXPECT_FALSE(dir.has(link("1.42.4")));
    EXPECT_TRUE(dir.has("nm/1.42.4/wifi.so"));
}

TEST_F(Relink, TakesOnlyAVersionForAVersion)
{
    for (const auto *bad : {"", "..", "../x", "1.42/4", "1 2", "v1", "1.4\n", "-1"})
        EXPECT_FALSE(relink(paths, bad)) << bad;
    for (const auto *good : {"1.42.4", "1.42.4-dev", "1.59~rc1+git"}) EXPECT_TRUE(is_version(good)) << good;
}

TEST(AskVersion, ReadsTheFirstLineOfAProgram)
{
    const TempDir dir;
    const auto program = [&](const std::string &text) {
        dir.write("nm", "#!/bin/sh\n" + text);
        ::chmod((dir / "nm").c_str(), 0755);
        return ask_version(dir / "nm");
    };
    const auto good = program("[ \"$1\" = --version ] && echo 1.42.4");
    ASSERT_TRUE(good) << good.error().what;
    EXPECT_EQ(*good, "1.42.4");
    EXPECT_FALSE(program("echo 1.42.4 or so"));
    EXPECT_FALSE(program("exit 1"));
    EXPECT_FALSE(program("head -c 100000 /dev/zero | tr '\\0' 1"));
    EXPECT_FALSE(ask_version(dir / "missing"));
}
