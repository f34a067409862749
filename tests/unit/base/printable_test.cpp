// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/text.hpp"

#include <gtest/gtest.h>

#include <glib.h>
#include <random>

namespace nmib
{
namespace
{

TEST(Printable, PrintableTextIsUnchanged)
{
    for (const char *text : {"", "ib0: MTU", "h\xc3\xa4usle", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "~", "\\"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlsAndInvalidBytesAreEscaped)
{
    EXPECT_EQ(printable("a\nb"), "a\\x0ab");
    EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
    EXPECT_EQ(printable("\x7f"), "\\x7f");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
    EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");          // CSI, a C1 control
    EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0");            // the first character after C1
    EXPECT_EQ(printable("\xc3"), "\\xc3");                   // cut off
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");          // overlong '/'
    EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf"); // the same in three bytes
    EXPECT_EQ(printable("\xf0\x80\x80\xaf"), "\\xf0\\x80\\x80\\xaf");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");          // a surrogate
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"); // beyond Unicode
    EXPECT_EQ(printable("\xff\x80"), "\\xff\\x80");
    EXPECT_EQ(printable("\xe2\x82z"), "\\xe2\\x82z");
}

TEST(Printable, AnyInputGivesOneLineOfValidText)
{
    std::mt19937 random(20261120);
    std::uniform_int_distribution<int> byte(0, 255);
    constexpr std::string_view nasty = "\xc2\x9b\xe2\x82\xac\xf0\x9f\x98\x80\n\x1b\xed\xa0\x80";
    for (int round = 0; round < 20000; round++) {
        std::string text;
        const auto n = static_cast<std::size_t>(byte(random) % 24);
        while (text.size() < n) {
            if (byte(random) % 2 != 0)
                text += static_cast<char>(byte(random));
            else
                text += nasty[static_cast<std::size_t>(byte(random)) % nasty.size()];
        }
        const auto shown = printable(text);
        ASSERT_TRUE(g_utf8_validate(shown.data(), static_cast<gssize>(shown.size()), nullptr)) << shown;
        for (const char *p = shown.c_str(); *p != '\0'; p = g_utf8_next_char(p))
            ASSERT_FALSE(g_unichar_iscntrl(g_utf8_get_char(p))) << shown;
        EXPECT_EQ(printable(shown), shown);
    }
}

} // namespace
} // namespace nmib
