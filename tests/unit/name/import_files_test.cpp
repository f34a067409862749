// SPDX-License-Identifier: LGPL-2.1-or-later
// Files with unstable names are found, removed, and not found again.
#include "apply/name/import.hpp"
#include "probe/name/udev_files.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char *file_address = "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:02";

struct FragileFileTest : testing::Test {
    test::Tree tree;

    std::vector<FragileFile> read()
    {
        const auto configs = read_link_configs(tree.path());
        EXPECT_TRUE(configs);
        auto found = read_fragile(*configs, tree.path());
        EXPECT_TRUE(found) << found.error().what;
        return found ? *found : std::vector<FragileFile>{};
    }
    /// "kind path name"
    std::vector<std::string> found()
    {
        std::vector<std::string> all;
        for (const auto &f : read())
            for (const auto &n : f.names)
                all.push_back(std::string(f.is_rule ? "rule " : "link-file ") + f.path.substr(tree.path().size()) +
                              " " + n.name);
        return all;
    }
    void write_all()
    {
        tree.file("etc/udev/rules.d/70-persistent-ipoib.rules",
                  std::string("KERNEL==\"sda\", MODE=\"0600\"\nATTR{address}==\"") + file_address + "\", NAME=\"a\"\n",
                  0600);
        tree.file("etc/systemd/network/10-b.link",
                  std::string("[Match]\nMACAddress=") + file_address + "\n[Link]\nName=b\n");
    }
};

TEST_F(FragileFileTest, RulesAreFoundBeforeLinkFiles)
{
    EXPECT_THAT(found(), ElementsAre());
    write_all();
    EXPECT_THAT(found(), ElementsAre("rule /etc/udev/rules.d/70-persistent-ipoib.rules a",
                                     "link-file /etc/systemd/network/10-b.link b"));
}

TEST_F(FragileFileTest, TakeOutRemovesTheNameAndKeepsACopy)
{
    write_all();
    const auto link = tree.content("etc/systemd/network/10-b.link");
    for (const auto &f : read()) EXPECT_EQ(*take_out(f, f.names), f.path + ".before-nm-ib.bak");
    EXPECT_THAT(found(), ElementsAre());
    EXPECT_EQ(tree.content("etc/udev/rules.d/70-persistent-ipoib.rules"),
              std::string("KERNEL==\"sda\", MODE=\"0600\"\n# replaced by nm-ib name import: ATTR{address}==\"") +
                  file_address + "\", NAME=\"a\"\n");
    EXPECT_EQ(tree.content("etc/systemd/network/10-b.link"), "");
    EXPECT_EQ(tree.content("etc/systemd/network/10-b.link.before-nm-ib.bak"), link);
    struct stat st {
    };
    for (const auto *f : {"", ".before-nm-ib.bak"}) {
        ASSERT_EQ(::stat((tree.path("etc/udev/rules.d/70-persistent-ipoib.rules") + f).c_str(), &st), 0);
        EXPECT_EQ(st.st_mode & 0777U, 0600U) << f;
    }
    write_all();
    const auto again = read();
    EXPECT_EQ(*take_out(again[1], again[1].names), again[1].path + ".before-nm-ib.2.bak") << "no copy is lost";
}

TEST_F(FragileFileTest, ChangedFileOrSymlinkIsNotTakenOut)
{
    write_all();
    const auto all = read();
    tree.file("etc/systemd/network/10-b.link", "# mine\n");
    const auto changed = take_out(all[1], all[1].names);
    ASSERT_FALSE(changed);
    EXPECT_THAT(changed.error().what, HasSubstr("10-b.link: changed by another program meanwhile"));
    EXPECT_EQ(tree.content("etc/systemd/network/10-b.link"), "# mine\n");
    tree.file("elsewhere", all[0].text);
    tree.remove("etc/udev/rules.d/70-persistent-ipoib.rules");
    tree.link("etc/udev/rules.d/70-persistent-ipoib.rules", "../../../elsewhere");
    EXPECT_EQ(read().size(), 1U) << "udev reads it all the same";
    EXPECT_FALSE(take_out(all[0], all[0].names));
    EXPECT_EQ(tree.content("elsewhere"), all[0].text);
    EXPECT_EQ(tree.content("etc/udev/rules.d/70-persistent-ipoib.rules.before-nm-ib.bak"), "");
}

} // namespace
} // namespace nmib
