// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/text.hpp"
#include "core/ib/rdma_device.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

TEST(Number, DecimalIsParsedWithItsLimit)
{
    EXPECT_EQ(parse_decimal("0", 0), 0U);
    EXPECT_EQ(parse_decimal("010", 255), 10U); // not octal
    EXPECT_EQ(parse_decimal("65535", 0xffff), 65535U);
    EXPECT_EQ(parse_decimal("18446744073709551615", UINT64_MAX), UINT64_MAX);
    for (const char *bad : {"", " ", "-1", "+1", " 1", "1 ", "1\n", "0x1", "1e3", "65536", "18446744073709551616",
                            "1,0", "99999999999999999999999999", "\xef\xbc\x91"})
        EXPECT_FALSE(parse_decimal(bad, 0xffff)) << bad;
    EXPECT_FALSE(parse_decimal(std::string_view("1\0", 2), 9));
}

TEST(Number, HexadecimalIsParsedWithItsLimit)
{
    EXPECT_EQ(parse_hex("a0", 0xff), 0xa0U);
    EXPECT_EQ(parse_hex("0xA0", 0xff), 0xa0U);
    EXPECT_EQ(parse_hex("0X15b3", 0xffff), 0x15b3U);
    EXPECT_EQ(parse_hex("ffffffffffffffff", UINT64_MAX), UINT64_MAX);
    for (const char *bad : {"", "0x", "0x0x1", "x1", "-1", "0x-1", "g", "0xg", "1ff", "0x100", "1 "})
        EXPECT_FALSE(parse_hex(bad, 0xff)) << bad;
}

TEST(Number, PrefixDecidesTheBase)
{
    EXPECT_EQ(parse_number("8002", 0xffff), 8002U);
    EXPECT_EQ(parse_number("0x8002", 0xffff), 0x8002U);
    EXPECT_EQ(parse_number("010", 0xffff), 10U);
    EXPECT_FALSE(parse_number("a0", 0xffff));
    EXPECT_FALSE(parse_number("65536", 0xffff));
}

TEST(Number, HexIsReadBack)
{
    EXPECT_EQ(hex(2, 4), "0x0002");
    EXPECT_EQ(hex(0, 1), "0x0");
    EXPECT_EQ(hex(0x12345, 4), "0x12345");
    EXPECT_EQ(hex(UINT64_MAX, 4), "0xffffffffffffffff");
    for (std::uint64_t v = 1; v < UINT64_MAX / 3; v *= 3) EXPECT_EQ(parse_hex(hex(v, 4), UINT64_MAX), v);
}

TEST(Number, TrimRemovesBlanksAtBothEnds)
{
    EXPECT_EQ(trim(" \t\r\n a b \r\n"), "a b");
    EXPECT_EQ(trim(" \n"), "");
    EXPECT_EQ(trim(""), "");
    EXPECT_EQ(trim("x"), "x");
    EXPECT_EQ(trim("\v1"), "\v1"); // only common white space is removed
}

TEST(Number, NamesAreSortedByNumber)
{
    EXPECT_TRUE(is_before("mlx5_2", "mlx5_10"));
    EXPECT_FALSE(is_before("mlx5_10", "mlx5_2"));
    EXPECT_TRUE(is_before("mlx4_0", "mlx5_0"));
    EXPECT_FALSE(is_before("mlx5_0", "mlx5_0"));
}

TEST(PortWord, AcceptsEverySpellingOfAPort)
{
    const PortPlace port{"mlx5_0", "0000:05:00.0", 1, Guid{0x0002c903000a0001}};
    for (const char *word :
         {"mlx5_0/1", "mlx5_0", "0000:05:00.0/1", "05:00.0/1", "0000:05:00.0", "05:00.0", "0002:c903:000a:0001",
          "0x0002c903000a0001", "00:02:c9:03:00:0a:00:01", "fe80:0000:0000:0000:0002:c903:000a:0001"})
        EXPECT_TRUE(names_port(word, port)) << word;
    for (const char *word :
         {"", "/1", "mlx5_0/2", "mlx5_1", "mlx5", "0000:05:00.1", "5:00.0", "0002:c903:000a:0002", "1"})
        EXPECT_FALSE(names_port(word, port)) << word;
    EXPECT_FALSE(names_port("0000:0000:0000:0000", {"rxe0", "", 1, Guid{}}));
    EXPECT_FALSE(names_port("", {"", "", 1, {}}));
}

} // namespace
} // namespace nmib
