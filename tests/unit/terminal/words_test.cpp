// SPDX-License-Identifier: LGPL-2.1-or-later
// nmcli's matching of words, and lists of words.
#include "terminal/words.hpp"

#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

TEST(Words, EmptyWordBeginsNothing)
{
    for (const auto *word : {"s", "sho", "show"}) EXPECT_TRUE(begins(word, "show")) << word;
    for (const auto *word : {"", "showx", "Show", "how"}) EXPECT_FALSE(begins(word, "show")) << word;
}

TEST(Words, OptionHasOneOrTwoHyphens)
{
    for (const auto *word : {"-a", "--a", "--ask", "-as"}) EXPECT_TRUE(is_option(word, "ask")) << word;
    for (const auto *word : {"", "-", "--", "ask", "---ask", "--asks", "-b"})
        EXPECT_FALSE(is_option(word, "ask")) << word;
    for (const auto *word : {"help", "h", "-h", "--help", "-he"}) EXPECT_TRUE(is_help(word)) << word;
    for (const auto *word : {"", "-", "helps", "Help"}) EXPECT_FALSE(is_help(word)) << word;
}

TEST(Words, JoinKeepsEmptyWords)
{
    EXPECT_EQ(join({}, ", "), "");
    EXPECT_EQ(join({"a"}, ", "), "a");
    EXPECT_EQ(join({"a", "", "a"}, ", "), "a, , a");
}

TEST(Words, FailuresHaveTheirExitStatus)
{
    EXPECT_EQ(failed("why").code, 1);
    EXPECT_EQ(failed("why", exit_not_found).code, 10);
    EXPECT_EQ(refused("why").code, 2);
    EXPECT_EQ(refused("why").text, "Error: why");
    EXPECT_EQ(bad("why").kind, Error::Kind::invalid);
}

} // namespace
} // namespace nmib::cli
