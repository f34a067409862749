// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/port_name.hpp"
#include "name_make.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

TEST(Guid, ParsesEverySpelling)
{
    for (const char *good :
         {"0002c903000a0001", "0x0002c903000a0001", "0X0002C903000A0001", "0002C903000A0001", "00:02:c9:03:00:0a:00:01",
          "00:02:C9:03:00:0A:00:01", "00-02-c9-03-00-0a-00-01", "0002:c903:000a:0001", "0002-c903-000a-0001",
          "0002.c903.000a.0001", "00.02.c9.03.00.0a.00.01", " 0002:c903:000a:0001\n"}) {
        ASSERT_TRUE(Guid::parse(good)) << good;
        EXPECT_EQ(Guid::parse(good)->value, 0x0002c903000a0001U) << good;
        EXPECT_EQ(Guid::parse(good)->str(), "0002:c903:000a:0001");
    }
    EXPECT_EQ(Guid::parse("ffffffffffffffff")->value, UINT64_MAX);
    EXPECT_EQ(Guid::parse("0000:0000:0000:0000")->value, 0U);
}

TEST(Guid, RefusesOtherText)
{
    for (const char *bad : {"",
                            "0",
                            "2c903000a0001",
                            "0x2c903000a0001",
                            "0x02c903000a0001",
                            "0x0x02c903000a0001",
                            "0002c903000a00010",
                            "0x0002c903000a000100",
                            "0x",
                            "g002c903000a0001",
                            "00:02:c9:03:00:0a:00",
                            "00:02:c9:03:00:0a:00:01:02",
                            "00:02:c9:03:00:0a:00:1",
                            "0:2:c9:3:0:a:0:1",
                            "00:02-c9:03:00:0a:00:01",
                            "0002:c903:000a",
                            "0002:c903:000a:0001:0002",
                            "0002:c903.000a:0001",
                            "0002:c903:000a:00010",
                            "0002:c903:000a:001",
                            "2:c903:a:1",
                            "00:02:c9:03:00:0a:00:01:",
                            ":00:02:c9:03:00:0a:00:01",
                            "0002:c903:000a:0001:",
                            "0x02:c903:000a:0001",
                            "0X02:c903:000a:0001",
                            "0002:0X03:000a:0001",
                            "0x:02:c9:03:00:0a:00:01",
                            "-002c903000a0001",
                            "+002c903000a0001",
                            "0002c903 000a0001",
                            "00 02 c9 03 00 0a 00 01",
                            "*:00:02:c9:03:00:0a:00:01",
                            "0002_c903_000a_0001",
                            "00:0x:c9:03:00:0a:00:01",
                            "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:01"})
        EXPECT_FALSE(Guid::parse(bad)) << bad;
    EXPECT_FALSE(Guid::parse(std::string_view("0002c903000a000\0", 16)));
}

TEST(IdPath, RefusesBlanksGlobsAndQuotes)
{
    for (const char *good : {"pci-0000:05:00.0", "platform-x_1", "a", "pci-0000:05:00.0-usb-0:1"})
        EXPECT_EQ(test::id_path(good).str(), good);
    EXPECT_TRUE(IdPath::parse(std::string(128, 'a')));
    EXPECT_FALSE(IdPath::parse(std::string(129, 'a')));
    for (const char *bad :
         {"", "a b", "a\n", "a*", "a?", "[a]", "a\\", "\"a\"", "'", "a=b", "a%b", "!a", "#", "a/b", "\x80"})
        EXPECT_FALSE(IdPath::parse(bad)) << bad;
    EXPECT_FALSE(IdPath::parse(std::string_view("a\0", 2)));
}

TEST(PortMatch, MatchesOnlyItsPort)
{
    const auto one = test::port("ib0", 1), two = test::port("ib1", 2);
    const PortMatch by_guid = ByGuid{one.guid}, by_path = ByPath{test::id_path("pci-0000:05:00.0"), 1};
    for (const auto &match : {by_guid, by_path}) {
        EXPECT_TRUE(matches(match, one)) << text(match);
        EXPECT_FALSE(matches(match, two)) << text(match);
    }
    auto bare = one; // without ib_ipoib
    bare.interface.reset();
    EXPECT_TRUE(matches(by_guid, bare));
    EXPECT_TRUE(matches(by_path, bare)) << "its PCI address is known";
    auto moved = one; // with another queue pair number
    moved.interface->address = test::hw_addr("80:00:02:09" + test::first_address.substr(11));
    EXPECT_TRUE(matches(by_guid, moved));
}

TEST(PortMatch, TextNamesGuidOrPath)
{
    EXPECT_EQ(text(ByGuid{test::guid("0002c903000a0001")}), "GUID 0002:c903:000a:0001");
    EXPECT_EQ(text(ByPath{test::id_path("pci-0000:05:00.0"), 2}), "port 2 at pci-0000:05:00.0");
}

} // namespace
} // namespace nmib
