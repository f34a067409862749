// SPDX-License-Identifier: LGPL-2.1-or-later
// nm-ib.conf, and the quirk files: order, override, mask, trust.
#include "probe/plan/policy.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char *good_quirk = "[a]\nFeature.tx-tcp-segmentation=off\n";

struct PolicyTest : testing::Test {
    test::Tree tree;
    PolicyPaths paths{tree.path("etc/nm-ib.conf"), tree.path("usr"), tree.path("etc/quirks.d")};

    PolicyRead read()
    {
        auto r = read_policy(paths);
        for (const auto &w : r.warnings) EXPECT_EQ(w.what.find('\n'), std::string::npos) << w.what;
        return r;
    }
    std::vector<std::string> names()
    {
        std::vector<std::string> out;
        for (const auto &q : read().policy.quirks) out.push_back(q.name);
        return out;
    }
    /// The only warning.
    std::string warning()
    {
        const auto r = read();
        EXPECT_EQ(r.warnings.size(), 1U);
        return r.warnings.empty() ? "" : r.warnings[0].what;
    }
};

TEST_F(PolicyTest, MissingFilesGiveTheBuiltInPolicy)
{
    const auto r = read();
    EXPECT_THAT(r.warnings, IsEmpty());
    EXPECT_THAT(r.policy.quirks, IsEmpty());
    EXPECT_EQ(r.policy.connected_impossible, Policy::Impossible::fall_back);
    EXPECT_TRUE(r.policy.plugin);
    EXPECT_TRUE(r.policy.remove_leftovers);
    EXPECT_FALSE(r.policy.debug);
}

TEST_F(PolicyTest, EverySettingIsRead)
{
    tree.file(
        "etc/nm-ib.conf",
        "# strict\n[main]\nconnected-impossible=fail\nplugin=no\nremove-leftover-children=OFF\nlog-level=debug\n");
    const auto r = read();
    EXPECT_THAT(r.warnings, IsEmpty());
    EXPECT_EQ(r.policy.connected_impossible, Policy::Impossible::fail);
    EXPECT_FALSE(r.policy.plugin);
    EXPECT_FALSE(r.policy.remove_leftovers);
    EXPECT_TRUE(r.policy.debug);
    tree.file("etc/nm-ib.conf", "[main]\r\nconnected-impossible=datagram\r\nplugin=yes\r\nlog-level=info\r\n");
    EXPECT_FALSE(read().policy.debug);
    EXPECT_TRUE(read().policy.plugin);
    EXPECT_THAT(read().warnings, IsEmpty());
    tree.file("etc/nm-ib.conf", "");
    EXPECT_THAT(read().warnings, IsEmpty());
}

TEST_F(PolicyTest, MistakeInTheConfigurationCostsItsLine)
{
    const std::pair<std::string, const char *> bad[] = {
        {"connected-impossible=abort\n", "connected-impossible=abort"},
        {"log-level=trace\n", "log-level=trace"},
        {"log-level=DEBUG\n", "log-level=DEBUG"},
        {"remove-leftover-children=\n", "remove-leftover-children="},
        {"plugin=perhaps\n", "plugin=perhaps"},
        {"speed=11\n", "'speed'"},
        {"plugn=yes\n", "'plugn'"},
        {"[mian]\nplugin=yes\n", "[mian]"},
        {"[mian\nplugin=yes\n", "[mian"},
        {"connected-impossible=\xff\n", "connected-impossible"},
        {"connected-impossible=a\\nb\x1b[2J\n", "connected-impossible=a\\x0ab\\x1b[2J"},
        {"nonsense\n", "'nonsense'"},
        {std::string("log-level=\0\n", 12), "log-level="},
        {"=x\n", "'=x'"},
    };
    for (const auto &[line, named] : bad) {
        tree.file("etc/nm-ib.conf", "# strict\n[main]\nplugin=no\n" + line + "[main]\nlog-level=debug\n");
        EXPECT_THAT(warning(), AllOf(HasSubstr(tree.path("etc/nm-ib.conf") + ":4: "), HasSubstr(named)));
        EXPECT_FALSE(read().policy.plugin) << line;
        EXPECT_TRUE(read().policy.debug) << line;
    }
    tree.file("etc/nm-ib.conf", "plugin=no\n[main]\nlog-level=debug\n");
    EXPECT_THAT(warning(), HasSubstr("nm-ib.conf:1: no group comes before"));
    EXPECT_TRUE(read().policy.plugin && read().policy.debug);
    tree.file("etc/nm-ib.conf", "[main]\nplugin=no\nplugin=yes\n");
    EXPECT_TRUE(read().policy.plugin) << "the last line holds";
    for (const char *line : {"=maybe", "=", " no", "-childern=no", "=n\\o"}) {
        tree.file("etc/nm-ib.conf",
                  std::string("[main]\nremove-leftover") + (*line == '-' ? "" : "-children") + line + "\n");
        EXPECT_FALSE(read().policy.remove_leftovers) << line;
    }
}

TEST_F(PolicyTest, UnreadableConfigurationIsIgnored)
{
    tree.file("etc/nm-ib.conf", "[main]\nplugin=no\n#" + std::string(65536, 'x'));
    EXPECT_THAT(warning(), HasSubstr("larger than"));
    EXPECT_TRUE(read().policy.plugin);
    tree.file("etc/nm-ib.conf", "\x7f\x45LF\x02\x01");
    EXPECT_THAT(warning(), HasSubstr("nm-ib.conf:1: "));
    tree.file("etc/nm-ib.conf", "[main]\nplugin=no\n", 0664);
    EXPECT_THAT(warning(), AllOf(HasSubstr("nm-ib.conf"), HasSubstr("chmod")));
    EXPECT_TRUE(read().policy.plugin);
    tree.fifo("etc/nm-ib.conf");
    EXPECT_THAT(warning(), HasSubstr("not a regular file"));
    tree.dir("etc2");
    paths.conf = tree.path("etc2");
    EXPECT_THAT(warning(), HasSubstr("not a regular file"));
}

TEST_F(PolicyTest, FileOfAnotherKindGivesFewWarnings)
{
    std::string text = "[main]\n";
    for (int i = 0; i < 1000; i++) text += "word" + std::to_string(i) + "\n";
    tree.file("etc/nm-ib.conf", text + "plugin=no\n");
    const auto r = read();
    EXPECT_EQ(r.warnings.size(), 11U);
    EXPECT_THAT(r.warnings.back().what, HasSubstr("nm-ib.conf: 990 more mistakes"));
    EXPECT_FALSE(r.policy.plugin);
    tree.file("etc/nm-ib.conf", "[main]\n" + std::string(60000, 'x') + "\n");
    EXPECT_LT(warning().size(), 1000U);
}

TEST_F(PolicyTest, QuirkFilesAreSortedByNameAcrossDirectories)
{
    tree.file("usr/20-b.conf", "[b]\nWarn=b\n");
    tree.file("etc/quirks.d/10-a.conf", "[a]\nWarn=a\n");
    tree.file("usr/30-c.conf", "[c2]\nWarn=c\n[c1]\nWarn=c\n");
    tree.file("usr/30-c.conf~", "[d]\nWarn=d\n");
    tree.file("usr/.40-d.conf", "[d]\nWarn=d\n");
    tree.file("usr/README", "no keyfile\n");
    EXPECT_THAT(names(), ElementsAre("a", "b", "c2", "c1"));
    EXPECT_THAT(read().warnings, IsEmpty());
}

TEST_F(PolicyTest, AdministratorsFileReplacesTheOneOfTheSameName)
{
    tree.file("usr/10-a.conf", "[a]\nWarn=package\n");
    tree.file("etc/quirks.d/10-a.conf", "[a]\nWarn=administrator\n");
    const auto r = read();
    EXPECT_THAT(r.warnings, IsEmpty());
    ASSERT_EQ(r.policy.quirks.size(), 1U);
    EXPECT_EQ(r.policy.quirks[0].warning, "administrator");
    EXPECT_EQ(r.policy.quirks[0].file, tree.path("etc/quirks.d/10-a.conf"));
}

TEST_F(PolicyTest, EmptyFileOrLinkToDevNullMasksTheFile)
{
    tree.file("usr/10-a.conf", good_quirk);
    tree.file("usr/20-b.conf", "[b]\nWarn=b\n");
    for (const char *nothing : {"", "\n", "# off\n"}) {
        tree.file("etc/quirks.d/10-a.conf", nothing);
        EXPECT_THAT(names(), ElementsAre("b")) << nothing;
        EXPECT_THAT(read().warnings, IsEmpty());
    }
    tree.link("etc/quirks.d/10-a.conf", "/dev/null");
    EXPECT_THAT(names(), ElementsAre("b"));
    EXPECT_THAT(read().warnings, IsEmpty());
}

TEST_F(PolicyTest, ReplacementWithAMistakeStillReplacesAndWarns)
{
    tree.file("usr/10-a.conf", good_quirk);
    tree.file("etc/quirks.d/10-a.conf", "[a]\nWran=x\n");
    EXPECT_THAT(names(), IsEmpty());
    EXPECT_THAT(warning(), AllOf(HasSubstr("etc/quirks.d/10-a.conf:2: "), HasSubstr("'Wran'")));
}

TEST_F(PolicyTest, UnreadableFileIsSkippedWithAWarning)
{
    tree.file("usr/10-a.conf", good_quirk);
    tree.file("usr/30-c.conf", "[c]\nWarn=c\n");
    const auto bad = tree.path("usr/20-b.conf");
    const auto expect = [&](const char *named) {
        EXPECT_THAT(warning(), AllOf(HasSubstr(bad), HasSubstr(named)));
        EXPECT_THAT(names(), ElementsAre("a", "c"));
    };
    tree.file("usr/20-b.conf", "[b]\nWarn=b\n", 0664);
    expect("chmod");
    tree.file("usr/20-b.conf", "[b]\nWarn=b\n", 0646);
    expect("chmod");
    tree.file("usr/20-b.conf", std::string("[b]\nWarn=b\0\n", 12));
    tree.file("usr/20-b.conf", "[b\nWarn=b\n");
    expect("20-b.conf:1: ");
    tree.file("usr/20-b.conf", "[b]\nWarn=b\n#" + std::string(65536, 'x'));
    expect("larger than");
    tree.sparse("usr/20-b.conf", off_t{4} << 30);
    expect("larger than");
    tree.file("usr/20-b.conf", "\x7f\x45LF");
    expect("");
    tree.fifo("usr/20-b.conf");
    expect("not a regular file");
    tree.remove("usr/20-b.conf");
    tree.dir("usr/20-b.conf");
    expect("not a regular file");
    tree.remove("usr/20-b.conf");
    tree.link("usr/20-b.conf", tree.path("elsewhere"));
    expect("");
    tree.link("usr/20-b.conf", "20-b.conf");
    expect("");
    tree.link("usr/20-b.conf", "null"); // not /dev/null, so no mask
    expect("");
}

TEST_F(PolicyTest, QuirkOfTheNameOfAnotherIsIgnored)
{
    tree.file("usr/10-a.conf", good_quirk);
    tree.file("usr/20-b.conf", "[b]\nWarn=b\n[a]\nWarn=again\n");
    EXPECT_THAT(warning(), AllOf(HasSubstr("20-b.conf: [a] is already in"), HasSubstr("10-a.conf")));
    EXPECT_THAT(names(), ElementsAre("a", "b"));
    EXPECT_EQ(read().policy.quirks[0].warning, "");
}

TEST_F(PolicyTest, FileInPlaceOfADirectoryIsAWarning)
{
    tree.file("usr", "");
    EXPECT_THAT(warning(), HasSubstr(tree.path("usr")));
}

TEST_F(PolicyTest, MoreThan1000FilesAreAWarning)
{
    for (int i = 0; i <= 1000; i++) tree.file("usr/" + std::to_string(i) + ".conf", "");
    EXPECT_THAT(warning(), HasSubstr("more than 1000"));
}

TEST(InstalledPaths, AreThoseOfTheBuild)
{
    const auto p = installed_policy_paths();
    EXPECT_THAT(p.conf, HasSubstr("nm-infiniband/nm-ib.conf"));
    EXPECT_NE(p.quirks, p.quirks_admin);
}

} // namespace
} // namespace nmib
