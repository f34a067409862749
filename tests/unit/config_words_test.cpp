// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/link_file/config_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using Words = std::vector<std::string>;
using enum Quoting;

TEST(ConfigWords, AsSystemdTakesThemApart)
{
    struct Case {
        const char *value;
        Words plain, quoted, escaped;
    };
    const Case cases[] = {
        {"", {}, {}, {}},
        {" \t ", {}, {}, {}},
        {"a", {"a"}, {"a"}, {"a"}},
        {" a\tb  c ", {"a", "b", "c"}, {"a", "b", "c"}, {"a", "b", "c"}},
        {"\"a b\" c", {"\"a", "b\"", "c"}, {"a b", "c"}, {"a b", "c"}},
        {"'a \"b' c", {"'a", "\"b'", "c"}, {"a \"b", "c"}, {"a \"b", "c"}},
        {"a'b'c", {"a'b'c"}, {"abc"}, {"abc"}},
        {"''", {"''"}, {""}, {""}},
        {"a \"\" b", {"a", "\"\"", "b"}, {"a", "", "b"}, {"a", "", "b"}},
        {"a \"b", {"a", "\"b"}, {"a"}, {"a"}}, // an open quote ends the list
        {"a \"b c", {"a", "\"b", "c"}, {"a"}, {"a"}},
        {"a\\ b", {"a b"}, {"a\\", "b"}, {}}, // a backslash, three ways
        {"a\\*", {"a*"}, {"a\\*"}, {}},
        {"x a\\", {"x"}, {"x", "a\\"}, {"x"}},
        {"a\\\\b", {"a\\b"}, {"a\\\\b"}, {"a\\b"}},
        {"\"a\\\"b\"", {"\"a\"b\""}, {}, {"a\"b"}},
        {"a\\tb", {"atb"}, {"a\\tb"}, {"a\tb"}},
        {"a\\sb", {"asb"}, {"a\\sb"}, {"a b"}},
        {"a\\x20b c", {"ax20b", "c"}, {"a\\x20b", "c"}, {"a b", "c"}},
        {"a\\101", {"a101"}, {"a\\101"}, {"aA"}},
        {"\\u00e4\\U0001f600", {"u00e4U0001f600"}, {"\\u00e4\\U0001f600"}, {"\xc3\xa4\xf0\x9f\x98\x80"}},
        {"\\u20ac", {"u20ac"}, {"\\u20ac"}, {"\xe2\x82\xac"}},
        {"x a\\x0", {"x", "ax0"}, {"x", "a\\x0"}, {"x"}},
        {"x \\x00", {"x", "x00"}, {"x", "\\x00"}, {"x"}}, // no NUL
        {"x \\000", {"x", "000"}, {"x", "\\000"}, {"x"}},
        {"x \\400", {"x", "400"}, {"x", "\\400"}, {"x"}},
        {"x \\08", {"x", "08"}, {"x", "\\08"}, {"x"}},
        {"x \\xg0", {"x", "xg0"}, {"x", "\\xg0"}, {"x"}},
        {"x \\q y", {"x", "q", "y"}, {"x", "\\q", "y"}, {"x"}},
        {"x \\U00110000", {"x", "U00110000"}, {"x", "\\U00110000"}, {"x"}},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(config_words(c.value, none), c.plain) << c.value;
        EXPECT_EQ(config_words(c.value, quotes), c.quoted) << c.value;
        EXPECT_EQ(config_words(c.value, c_escapes), c.escaped) << c.value;
    }
}

TEST(ConfigWords, Utf8)
{
    for (const char *good : {"", "a\x7f\x01", "\xc2\x80", "\xc3\xa4", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbd",
                             "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbd", "a\xe2\x82\xacz"})
        EXPECT_TRUE(is_utf8(good)) << good;
    for (const char *bad : {"\x80", "a\xff", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3z", "\xe2\x82", "\xe0\x9f\xbf",
                            "\xed\xa0\x80", "\xef\xb7\x90", "\xef\xbf\xbe", "\xef\xbf\xbf", "\xf0\x8f\xbf\xbf",
                            "\xf0\x9f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xfe"})
        EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(ConfigWords, Addresses)
{
    const auto size = [](const std::string &word) {
        const auto bytes = parse_link_address(word);
        return bytes ? bytes->size() : 0U;
    };
    const std::string twenty = "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:01";
    auto minus = twenty;
    std::replace(minus.begin(), minus.end(), ':', '-');
    for (const auto &good : {twenty, minus, std::string("80:0:2:8:fe:80:0:0:0:0:0:0:0:2:c9:3:0:a:0:1"),
                             std::string("8000.0208.FE80.0000.0000.0000.0002.c903.000a.0001"),
                             std::string("8000.208.fe80.0.0.0.2.c903.a.1")})
        EXPECT_EQ(parse_link_address(good), parse_link_address(twenty)) << good;
    EXPECT_EQ(size(twenty), 20U);
    EXPECT_EQ(size("00:11:22:33:44:55"), 6U);
    EXPECT_EQ(size("0011.2233.4455"), 6U);
    EXPECT_EQ(size("1.2.3.4"), 4U);
    EXPECT_EQ(parse_link_address("10.2.3.4")->front(), 10) << "an IPv4 address, not four groups";
    EXPECT_EQ(size("01:02:03:04"), 4U);
    EXPECT_EQ(size("00:02:c9:03:00:0a:00:01"), 16U) << "a GUID is an IPv6 address to udev";
    EXPECT_EQ(size("fe80::1"), 16U);
    for (const auto &bad :
         {std::string(), std::string("a"), std::string("00:11:22:33:44"), std::string("00:11:22:33:44:55:"),
          std::string(":11:22:33:44:55"), std::string("00:11:22:33-44:55"), std::string("000:11:22:33:44:55"),
          std::string("0x:11:22:33:44:55"), std::string("0g:11:22:33:44:55"), std::string("*:11:22:33:44:55"),
          std::string("001122334455"), std::string("\"00:11:22:33:44:55\""), std::string("00112.2233.4455"),
          std::string("0x1.2233.4455"), twenty + ":00", twenty + ":", std::string("00_11_22_33_44_55")})
        EXPECT_FALSE(parse_link_address(bad)) << bad;
}

TEST(ConfigWords, NamesOfInterfaces)
{
    for (const char *good : {"ib0", "*", "ib?", "!ib0", "\"ib0\"", "a+b", "0a", "a23456789012345", "ALL"})
        EXPECT_TRUE(is_link_name(good)) << good;
    for (const char *bad : {"", ".", "..", "0", "42", "123456789012345", "all", "default", "a%b", "a/b", "a:b", "a b",
                            "1234567890123456", "\xc3\xa4", "a\x7f"})
        EXPECT_FALSE(is_link_name(bad)) << bad;
}

} // namespace
} // namespace nmib
