// SPDX-License-Identifier: LGPL-2.1-or-later
#include "../dispatch/temp_dir.hpp"
#include "loader/plugin_symlink.hpp"

#include <gtest/gtest.h>

using namespace nmib;
namespace fs = std::filesystem;

namespace
{
struct PluginSymlink : testing::Test {
    TempDir dir;
    PluginPaths paths{dir / "own/plugin.so", dir / "nm"};
    void SetUp() override
    {
        dir.write("own/plugin.so", "object");
        dir.write("nm/1.42.4/wifi.so", "");
    }
    std::string symlink(const std::string &version) const { return "nm/" + version + "/plugin.so"; }
};
} // namespace

TEST_F(PluginSymlink, SymlinkIsMadeOnceAndFollowsAnUpgrade)
{
    const auto first = put_symlink(paths, "1.42.4");
    ASSERT_TRUE(first) << first.error().what;
    EXPECT_EQ(first->size(), 1U);
    EXPECT_EQ(fs::read_symlink(dir / symlink("1.42.4")), paths.object);
    const auto again = put_symlink(paths, "1.42.4");
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->empty());

    fs::remove(dir / "nm/1.42.4/wifi.so"); // the old version's package was removed; our symlink keeps its directory
    dir.write("nm/1.52.1/wifi.so", "");
    const auto upgraded = put_symlink(paths, "1.52.1");
    ASSERT_TRUE(upgraded) << upgraded.error().what;
    EXPECT_EQ(fs::read_symlink(dir / symlink("1.52.1")), paths.object);
    EXPECT_FALSE(dir.has("nm/1.42.4")) << "stale symlink and empty directory are gone";
}

TEST_F(PluginSymlink, MissingVersionDirectoryIsMade)
{
    ASSERT_TRUE(put_symlink(paths, "1.58.1"));
    EXPECT_TRUE(dir.has(symlink("1.58.1")));
}

TEST_F(PluginSymlink, ForeignFileIsNotReplaced)
{
    dir.write(symlink("1.42.4"), "somebody's");
    const auto r = put_symlink(paths, "1.42.4");
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().what.find("1.42.4/plugin.so"), std::string::npos);
    EXPECT_EQ(dir.read(symlink("1.42.4")), "somebody's");
    dir.write("nm/1.40.0/keep", "");
    fs::create_symlink("/elsewhere/plugin.so", dir / symlink("1.40.0"));
    ASSERT_TRUE(remove_symlinks(paths));
    EXPECT_TRUE(dir.has(symlink("1.40.0")));
    EXPECT_TRUE(dir.has(symlink("1.42.4")));
}

TEST_F(PluginSymlink, SymlinkIsRemovedWithoutTheObject)
{
    ASSERT_TRUE(put_symlink(paths, "1.42.4"));
    fs::remove(paths.object);
    EXPECT_FALSE(put_symlink(paths, "1.42.4"));
    EXPECT_FALSE(dir.has(symlink("1.42.4")));
    EXPECT_TRUE(dir.has("nm/1.42.4/wifi.so"));
}

TEST_F(PluginSymlink, NameThatIsNoVersionIsRefused)
{
    EXPECT_FALSE(put_symlink(paths, "wifi"));
    EXPECT_FALSE(dir.has("nm/wifi"));
}
