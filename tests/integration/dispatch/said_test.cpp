// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/said.hpp"
#include "temp_dir.hpp"

#include <gtest/gtest.h>

using nmib::Said;

TEST(Said, TellsALineOncePerActivation)
{
    const TempDir run;
    const auto state = run / "state";
    const auto tell = [&](const char *uuid, const char *line) {
        auto said = Said::load(state, 7, uuid);
        const bool first = said.first_time(line);
        EXPECT_TRUE(said.save());
        return first;
    };
    EXPECT_TRUE(tell("u1", "a"));
    EXPECT_FALSE(tell("u1", "a"));
    EXPECT_TRUE(tell("u1", "b"));
    EXPECT_FALSE(tell("u1", "a"));
    EXPECT_TRUE(tell("u2", "a")) << "another profile is another activation";
    Said::forget(state, 7);
    EXPECT_TRUE(tell("u2", "a")) << "after down it is told again";
}

TEST(Said, IsNotMisledByAFileThatIsNot)
{
    const TempDir run;
    for (const auto &content :
         {std::string(), std::string("no newline"), std::string("\n\n\n"), std::string(100000, 'x')}) {
        run.write("said-7", content);
        auto said = Said::load(run.path, 7, "u");
        EXPECT_TRUE(said.first_time("line"));
    }
    auto said = Said::load(run.path, 7, "with\nnewline");
    EXPECT_TRUE(said.first_time("line"));
    EXPECT_TRUE(said.save());
    EXPECT_FALSE(Said::load(run.path, 7, "with\nnewline").first_time("line"));
}
