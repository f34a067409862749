// SPDX-License-Identifier: LGPL-2.1-or-later
#include "../dispatch/temp_dir.hpp"
#include "loader/plugin_symlink.hpp"
#include "unit/fake_calls.hpp"

#include <cerrno>
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
    EXPECT_EQ(fs::status(dir / "nm/1.58.1").permissions(), fs::perms{0755});
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

TEST_F(PluginSymlink, EachChangeIsOneLine)
{
    dir.write("nm/1.40.0/wifi.so", "");
    fs::create_symlink(paths.object, dir / symlink("1.40.0"));
    fs::create_directory(dir / "nm/1.41.0");
    fs::create_symlink(paths.object, dir / symlink("1.41.0"));
    dir.write("nm/file", "");
    const auto made = "made the symlink " + paths.libdir + "/1.42.4/plugin.so";
    const auto removed = [&](const std::string &version) {
        return "removed the symlink " + paths.libdir + "/" + version + "/plugin.so";
    };
    EXPECT_EQ(*put_symlink(paths, "1.42.4"), (Done{removed("1.40.0"), removed("1.41.0"), made}));
    EXPECT_TRUE(dir.has("nm/1.40.0/wifi.so"));
    EXPECT_FALSE(dir.has("nm/1.41.0"));
    EXPECT_EQ(*remove_symlinks(paths), Done{removed("1.42.4")});
    EXPECT_EQ(*remove_symlinks(paths), Done{});
    fs::remove_all(paths.libdir);
    EXPECT_EQ(*remove_symlinks(paths), Done{}) << "no NetworkManager is installed";
}

/// Another error than a missing file: /usr may be on a server that does not answer.
TEST_F(PluginSymlink, SymlinkStaysIfTheFileCannotBeSeen)
{
    ASSERT_TRUE(put_symlink(paths, "1.42.4"));
    fs::remove(paths.object);
    fs::create_symlink("plugin.so", paths.object); // a loop
    EXPECT_EQ(put_symlink(paths, "1.42.4").error().what, paths.object + ": Too many levels of symbolic links");
    EXPECT_TRUE(fs::is_symlink(dir / symlink("1.42.4")));
}

TEST_F(PluginSymlink, ErrorNamesThePathAndTheReason)
{
    const auto error = [&](const std::string &version = "1.42.4") {
        const auto r = put_symlink(paths, version);
        return r ? "" : r.error().what;
    };
    const auto path = paths.libdir + "/1.42.4/plugin.so";
    EXPECT_EQ(error("../1"), "'../1' is not a version of NetworkManager");
    dir.write(symlink("1.42.4"), "");
    EXPECT_EQ(error(),
              path + ": exists, and is not a symlink to " + paths.object + "; to load the plugin, remove this file");
    EXPECT_EQ(put_symlink(paths, "1.42.4").error().kind, Error::Kind::denied);
    fs::remove(path);
    dir.write("nm/1.44.0", "");
    EXPECT_EQ(error("1.44.0"), paths.libdir + "/1.44.0: Not a directory");
    fs::remove(paths.object);
    EXPECT_EQ(error(), paths.object + ": No such file or directory");
    EXPECT_EQ(put_symlink(paths, "1.42.4").error().kind, Error::Kind::absent);
    dir.write("own/plugin.so", "object");
    paths.libdir = dir / "missing";
    EXPECT_EQ(error(), paths.libdir + ": No such file or directory");
    paths.libdir = dir / "own/plugin.so";
    EXPECT_EQ(error(), paths.libdir + ": Not a directory");
    EXPECT_EQ(remove_symlinks(paths).error().what, paths.libdir + ": Not a directory");
    fs::remove(paths.object);
    dir.write("file", "");
    paths.libdir = dir / "file";
    EXPECT_EQ(error(), paths.libdir + ": Not a directory") << "the symlinks that cannot be removed are the error";
}

TEST_F(PluginSymlink, ReadOnlyFileSystemIsLeftToTheBuildOfTheImage)
{
    const std::string remedy =
        ": not made: the file system is read-only; in the build of the image, once NetworkManager "
        "is installed, run: ";
    const auto error = [&](const char *call, int answer, const std::string &version) {
        const test::FakeCalls fake(test::fail(call, answer, version));
        const auto r = put_symlink(paths, "1.58.1");
        EXPECT_TRUE(r || (answer == EROFS) == (r.error().kind == Error::Kind::denied));
        return r ? "" : r.error().what;
    };
    const auto version = paths.libdir + "/1.58.1";
    EXPECT_EQ(error("mkdirat", EROFS, "/1.58.1").find(version + remedy), 0U);
    EXPECT_EQ(error("mkdirat", ENOSPC, "/1.58.1"), version + ": No space left on device");
    EXPECT_EQ(error("symlinkat", EROFS, "/plugin.so").find(version + "/plugin.so" + remedy), 0U);
    EXPECT_EQ(error("symlinkat", ENOSPC, "/plugin.so"), version + "/plugin.so: No space left on device");
}

TEST_F(PluginSymlink, StaleSymlinkOnAReadOnlyFileSystemDoesNotStopTheStart)
{
    ASSERT_TRUE(put_symlink(paths, "1.42.4"));
    const auto upgrade = [&](int answer) {
        const test::FakeCalls fake(test::fail("unlinkat", answer, "/plugin.so"));
        return put_symlink(paths, "1.58.1");
    };
    EXPECT_EQ(upgrade(EPERM).error().what, paths.libdir + "/1.42.4/plugin.so: Operation not permitted");
    EXPECT_FALSE(dir.has(symlink("1.58.1")));
    EXPECT_EQ(*upgrade(EROFS), Done{"made the symlink " + paths.libdir + "/1.58.1/plugin.so"});
    EXPECT_TRUE(dir.has(symlink("1.42.4")));
}
