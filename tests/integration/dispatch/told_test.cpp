// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/told.hpp"
#include "temp_dir.hpp"

#include <gtest/gtest.h>

using nmib::Finding;
using nmib::keep_told;
using nmib::read_told;

namespace
{
bool tell(const std::string &state, const std::string &uuid, const std::string &line)
{
    auto told = read_told(state, 7, uuid);
    const bool first = told.first_time(Finding::Severity::error, line);
    keep_told(state, 7, uuid, told);
    return first;
}
} // namespace

TEST(Told, TellsALineOncePerActivation)
{
    const TempDir run;
    const auto state = run / "state";
    EXPECT_TRUE(tell(state, "u1", "a"));
    EXPECT_FALSE(tell(state, "u1", "a"));
    EXPECT_TRUE(tell(state, "u1", "b"));
    EXPECT_FALSE(tell(state, "u1", "a"));
    EXPECT_TRUE(tell(state, "u2", "a")) << "another profile is another activation";
    EXPECT_FALSE(tell(state, "u2", "a"));
    auto told = read_told(state, 7, "u2");
    told.next();
    keep_told(state, 7, "u2", told);
    EXPECT_TRUE(tell(state, "u2", "a")) << "an error is told again after down";
}

TEST(Told, IsNotMisledByAFileThatIsNot)
{
    const TempDir run;
    for (const auto &content :
         {std::string(), std::string("no newline"), std::string("\n\n\n"), std::string(100000, 'x')}) {
        run.write("told-7", content);
        EXPECT_EQ(read_told(run.path, 7, "u"), nmib::ToldLines());
    }
    EXPECT_TRUE(tell(run.path, "with\nnewline", "line"));
    EXPECT_FALSE(tell(run.path, "with\nnewline", "line"));
}
