// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/handle.hpp"
#include "temp_dir.hpp"

#include <gtest/gtest.h>

using nmib::Finding;
using nmib::keep_logged;
using nmib::read_logged;

namespace
{
const nmib::LinkRow ib0{.ifindex = 7, .name = nmib::IfName::parse("ib0")};
bool tell(const std::string &state, const std::string &uuid, const std::string &line)
{
    auto told = read_logged(state, ib0, uuid);
    const bool first = told.first_time(Finding::Severity::error, line);
    keep_logged(state, ib0, uuid, told);
    return first;
}
} // namespace

TEST(Told, LineIsLoggedOncePerActivation)
{
    const TempDir run;
    const auto state = run / "state";
    EXPECT_TRUE(tell(state, "u1", "a"));
    EXPECT_FALSE(tell(state, "u1", "a"));
    EXPECT_TRUE(tell(state, "u1", "b"));
    EXPECT_FALSE(tell(state, "u1", "a"));
    EXPECT_TRUE(tell(state, "u2", "a")) << "another profile is another activation";
    EXPECT_FALSE(tell(state, "u2", "a"));
    auto told = read_logged(state, ib0, "u2");
    told.next();
    keep_logged(state, ib0, "u2", told);
    EXPECT_TRUE(tell(state, "u2", "a")) << "an error is told again after down";
    EXPECT_NE(read_logged(state, ib0, "u2"), nmib::LoggedLines());
    auto other = ib0;
    other.ifindex++;
    EXPECT_EQ(read_logged(state, other, "u2"), nmib::LoggedLines()) << "another interface of that name";
}

TEST(Told, DamagedFileGivesNoLines)
{
    const TempDir run;
    for (const auto &content : {std::string(), std::string("no newline"), std::string("\n\n\n"), std::string("7\n"),
                                std::string("7\nu"), std::string("7\nu\nx"), std::string(100000, 'x')}) {
        run.write("told-ib0", content);
        EXPECT_EQ(read_logged(run.path, ib0, "u"), nmib::LoggedLines());
    }
    EXPECT_TRUE(tell(run.path, "with\nnewline", "line"));
    EXPECT_FALSE(tell(run.path, "with\nnewline", "line"));
}
