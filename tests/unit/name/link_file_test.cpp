// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/link_file.hpp"
#include "name_make.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using test::port_name;

const LinkFile by_guid{.name = port_name("mlx4_ib0"), .match = ByGuid{test::guid("f452:1403:007b:e1b1")}};

/// The complete text, because administrators and udev read it. The FNV-1a sums of the other lines were computed by
/// another program.
TEST(LinkFile, TextOfAFileByGuid)
{
    EXPECT_EQ(text(by_guid),
              "# Written by nm-ib: the InfiniBand port with GUID f452:1403:007b:e1b1 is called mlx4_ib0.\n"
              "# To take this away: nm-ib name unset mlx4_ib0\n"
              "# Checksum: 0x48e62e3fe6c74c9e\n"
              "\n"
              "[Match]\n"
              "Type=infiniband\n"
              "Property=ID_IPOIB_ADDRESS=*:f4:52:14:03:00:7b:e1:b1\n"
              "\n"
              "[Link]\n"
              "Name=mlx4_ib0\n"
              "AlternativeNamesPolicy=database onboard slot path\n");
}

TEST(LinkFile, TextOfAFileByPath)
{
    EXPECT_EQ(text({port_name("a"), ByPath{test::id_path("pci-0000:05:00.0"), 2}}),
              "# Written by nm-ib: the InfiniBand port 2 at pci-0000:05:00.0 is called a.\n"
              "# To take this away: nm-ib name unset a\n"
              "# Checksum: 0x6cd8f8afd1dd0bfe\n"
              "\n"
              "[Match]\n"
              "Type=infiniband\n"
              "Property=ID_PATH=pci-0000:05:00.0\n"
              "Property=ID_IPOIB_DEV_PORT=1\n"
              "\n"
              "[Link]\n"
              "Name=a\n"
              "AlternativeNamesPolicy=database onboard slot path\n");
}

TEST(LinkFile, AnySingleChangedByteIsDetected)
{
    const auto good = text(by_guid);
    ASSERT_TRUE(is_untouched(good));
    for (std::size_t i = 0; i < good.size(); i++)
        for (int c = 0; c < 256; c++) {
            auto bad = good;
            bad[i] = static_cast<char>(c);
            if (bad[i] != good[i]) {
                ASSERT_FALSE(is_untouched(bad)) << i << ": " << c;
            }
        }
}

TEST(LinkFile, InsertedOrRemovedBytesAreDetected)
{
    const auto good = text(by_guid);
    for (std::size_t i = 0; i < good.size(); i++) {
        for (const char c : {'\n', '#', ' ', '0', 'a', '\0'})
            ASSERT_FALSE(is_untouched(std::string(good).insert(i, 1, c))) << i << ": " << c;
        // two equal neighbours: either may be removed
        ASSERT_FALSE(is_untouched(std::string(good).erase(i, 1))) << i;
        ASSERT_FALSE(is_untouched(good.substr(0, i))) << i;
        ASSERT_FALSE(is_untouched(good.substr(i + 1))) << i;
    }
    EXPECT_FALSE(is_untouched(good + "\n"));
    EXPECT_FALSE(is_untouched(good + "[Link]\nMTUBytes=2044\n"));
    EXPECT_FALSE(is_untouched(good + good));
    EXPECT_FALSE(is_untouched(""));
}

TEST(LinkFile, OwnFileIsRecognizedByItsNameOrFirstLine)
{
    EXPECT_TRUE(is_ours(text(by_guid)));
    EXPECT_TRUE(is_ours(text(by_guid) + "[Link]\nMTUBytes=2044\n"));
    for (const char *bad : {"", "[Match]\n", "\n# Written by nm-ib: ", " # Written by nm-ib: ", "# Written by nm-ib"})
        EXPECT_FALSE(is_ours(std::string_view(bad))) << bad;
    // both name and head are needed
    EXPECT_TRUE(is_ours(test::config(by_guid)));
    EXPECT_FALSE(is_ours(test::config("70-mine.link", text(by_guid))));
    EXPECT_TRUE(is_ours(test::config(file_name(by_guid.name), "[Match]\nType=infiniband\n")))
        << "a person wrote all of it anew";
}

TEST(LinkFile, FileNameContainsThePortName)
{
    EXPECT_EQ(file_name(port_name("mlx4_ib0")), "70-nm-infiniband-mlx4_ib0.link");
    EXPECT_LT(file_name(port_name("zzzz")), "73-usb-net-by-mac.link");
    EXPECT_EQ(name_in("70-nm-infiniband-mlx4_ib0.link"), port_name("mlx4_ib0"));
    EXPECT_EQ(name_in("70-nm-infiniband-a.link.link"), port_name("a.link"));
    for (const char *bad :
         {"", "70-nm-infiniband-.link", "70-nm-infiniband.link", "70-nm-infiniband-a", "71-nm-infiniband-a.link",
          "70-nm-infiniband-a.link~", ".70-nm-infiniband-a.link", "70-nm-infiniband-a b.link",
          "70-nm-infiniband-../a.link", "70-nm-infiniband-abcdefghijklmnop.link", "70-nm-infiniband-.hidden.link"})
        EXPECT_FALSE(name_in(bad)) << bad;
}

} // namespace
} // namespace nmib
