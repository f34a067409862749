// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/finding.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

/// Each case runs twice: the second time, each call is in another process.
class Told : public testing::TestWithParam<bool>
{
protected:
    bool tell(const std::string &line, Severity severity = Severity::warning)
    {
        if (GetParam()) told = LoggedLines::parse(told.str());
        return told.first_time(severity, line);
    }
    void next()
    {
        if (GetParam()) told = LoggedLines::parse(told.str());
        told.next();
    }
    LoggedLines told;
};
INSTANTIATE_TEST_SUITE_P(InOneProcessAndInMany, Told, testing::Bool());

TEST_P(Told, LineIsLoggedOnceInOneActivation)
{
    for (const auto severity : {Severity::note, Severity::warning, Severity::error}) {
        const auto line = "line " + std::to_string(static_cast<int>(severity));
        EXPECT_TRUE(tell(line, severity));
        EXPECT_FALSE(tell(line, severity));
    }
}

TEST_P(Told, LineOfEveryActivationIsLoggedOnce)
{
    EXPECT_TRUE(tell("a"));
    for (int activation = 0; activation < 5; activation++) {
        next();
        EXPECT_FALSE(tell("a")) << "what is not told counts all the same";
        EXPECT_EQ(tell("b", Severity::note), activation == 0);
        EXPECT_FALSE(tell("a"));
    }
}

TEST_P(Told, LineIsLoggedAgainAfterAnActivationWithoutIt)
{
    EXPECT_TRUE(tell("a"));
    next();
    EXPECT_TRUE(tell("b"));
    next();
    EXPECT_TRUE(tell("a"));
    EXPECT_FALSE(tell("b"));
    next();
    next();
    EXPECT_TRUE(tell("a"));
}

TEST_P(Told, ErrorIsLoggedInEachActivation)
{
    for (int activation = 0; activation < 3; activation++) {
        EXPECT_TRUE(tell("a", Severity::error));
        EXPECT_FALSE(tell("a", Severity::error));
        next();
    }
    EXPECT_FALSE(tell("a", Severity::warning)) << "no news, however it is meant";
}

TEST_P(Told, SimilarLinesAreDistinct)
{
    for (const auto *line : {"", "=", "-", "=a", "-a", "a", " a", "a "}) EXPECT_TRUE(tell(line)) << line;
    next();
    for (const auto *line : {"", "=", "-", "=a", "-a", "a", " a", "a "}) EXPECT_FALSE(tell(line)) << line;
}

TEST(ToldText, UnknownLinesAreIgnored)
{
    for (const auto *text : {"", "\n", "\n\n\n", "a\nb\n", "=a", "-a", "a\n=", "\x01\x02"})
        EXPECT_EQ(LoggedLines::parse(text).str(), "") << text;
    EXPECT_EQ(LoggedLines::parse("u\n=b\n-a\n=unfinished").str(), "-a\n=b\n");
    EXPECT_EQ(LoggedLines::parse(std::string(100000, 'x')).str(), "");
}

} // namespace
} // namespace nmib
