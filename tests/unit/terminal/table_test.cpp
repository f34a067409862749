// SPDX-License-Identifier: LGPL-2.1-or-later
// Tables in nmcli's formats, and text in lines of a terminal.
#include "terminal/table.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using Print = Options::Print;

const Rows rows{.titles = {"NAME", "STATE", "NOTE"}, .rows = {{"ib0", "up", ""}, {"mlx4:ib1", "", "a\\b"}}};

Options options(Print print, std::optional<bool> multiline = {}, std::optional<std::string> fields = {})
{
    Options o;
    o.print = print;
    o.multiline = multiline;
    o.fields = std::move(fields);
    return o;
}

TEST(Table, ColumnIsAsWideAsItsLongestValue)
{
    EXPECT_EQ(*table(options(Print::normal), rows), "NAME      STATE  NOTE\n"
                                                    "ib0       up     --\n"
                                                    "mlx4:ib1  --     a\\b\n");
    EXPECT_EQ(*table(options(Print::normal), {.titles = {"A", "B"}, .rows = {{"\xe4\xb8\xad", "\xc3\xa4"}}}),
              "A   B\n\xe4\xb8\xad  \xc3\xa4\n");
    EXPECT_EQ(*table(options(Print::normal), {.titles = {"A", "B"}}), "A  B\n");
}

TEST(Table, TerseHasNoTitlesAndEscapesTheSeparator)
{
    EXPECT_EQ(*table(options(Print::terse), rows), "ib0:up:\nmlx4\\:ib1::a\\\\b\n");
    auto bare = options(Print::terse);
    bare.escape = false;
    EXPECT_EQ(*table(bare, rows), "ib0:up:\nmlx4:ib1::a\\b\n");
    EXPECT_EQ(*table(options(Print::terse, false, "state,name"), rows), "up:ib0\n:mlx4\\:ib1\n");
}

TEST(Table, MultilineHasAValueOnEachLine)
{
    const std::string column(35, ' '), line(79, '-');
    EXPECT_EQ(*table(options(Print::normal, true, "Name,STATE"), rows),
              "NAME:" + column + "ib0\nSTATE:" + column.substr(1) + "up\n" + "NAME:" + column + "mlx4:ib1\n" +
                  "STATE:" + column.substr(1) + "\n");
    EXPECT_EQ(*table(options(Print::pretty, true, "NAME"), rows),
              "NAME:" + column + "ib0\n" + line + "\nNAME:" + column + "mlx4:ib1\n" + line + "\n");
    EXPECT_EQ(*table(options(Print::terse, true, "NAME"), rows), "NAME:ib0\nNAME:mlx4:ib1\n");
}

TEST(Table, FieldsAreTitlesOrAll)
{
    for (const auto *fields : {"all", "common", "NAME,state,Note"})
        EXPECT_EQ(*table(options(Print::normal, {}, fields), rows), *table(options(Print::normal), rows)) << fields;
    const auto wrong = table(options(Print::normal, {}, "name,bogus\x1b"), rows);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().what, "invalid field 'bogus\\x1b'; allowed fields: NAME,STATE,NOTE");
}

TEST(Text, WidthCountsColumnsOfATerminal)
{
    EXPECT_EQ(screen_width(""), 0);
    EXPECT_EQ(screen_width("abc"), 3);
    EXPECT_EQ(screen_width("\xc3\xa4"), 1);     // a with diaeresis
    EXPECT_EQ(screen_width("\xe4\xb8\xad"), 2); // a wide character
    EXPECT_EQ(screen_width("a\xcc\x88"), 1);    // a combining character
    EXPECT_EQ(screen_width("\033[31mab\033[0m"), 2);
    EXPECT_EQ(screen_width("\033x"), 2);
    EXPECT_EQ(screen_width("\033[31"), 0); // without an end
    EXPECT_EQ(padded("ab", 4), "ab  ");
    EXPECT_EQ(padded("abcde", 4), "abcde");
}

TEST(Text, LongTextIsFoldedBetweenWords)
{
    EXPECT_EQ(folded("", "", 4), "    \n");
    EXPECT_EQ(folded("", "one two three", 2, 9), "  one two\n  three\n");
    EXPECT_EQ(folded("a:", "one two three", 4, 11), "a:  one two\n    three\n");
    EXPECT_EQ(folded("a:", "one two three", 4, 10), "a:  one\n    two\n    three\n");
    EXPECT_EQ(folded("", "averylongword b", 2, 6), "  averylongword\n  b\n");
    EXPECT_EQ(folded("start", "b", 2, 80), "startb\n");
}

TEST(Colour, IsUsedByRequestOrOnATerminal)
{
    Options o;
    o.colors = Options::Colors::yes;
    EXPECT_TRUE(is_coloured(o));
    o.colors = Options::Colors::no;
    EXPECT_FALSE(is_coloured(o));
}

} // namespace
} // namespace nmib::cli
