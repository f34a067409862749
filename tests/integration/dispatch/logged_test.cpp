// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/handle.hpp"
#include "temp_dir.hpp"

#include <gtest/gtest.h>

using nmib::keep_logged;
using nmib::read_logged;
using nmib::Severity;

namespace
{
const nmib::LinkRow ib0{.ifindex = 7, .name = nmib::IfName::parse("ib0")};
bool first_time(const std::string &state, const std::string &uuid, const std::string &line)
{
    auto logged = read_logged(state, ib0, uuid);
    const bool first = logged.first_time(Severity::error, line);
    keep_logged(state, ib0, uuid, logged);
    return first;
}
} // namespace

TEST(Told, LineIsLoggedOncePerActivation)
{
    const TempDir run;
    const auto state = run / "state";
    EXPECT_TRUE(first_time(state, "u1", "a"));
    EXPECT_FALSE(first_time(state, "u1", "a"));
    EXPECT_TRUE(first_time(state, "u1", "b"));
    EXPECT_FALSE(first_time(state, "u1", "a"));
    EXPECT_TRUE(first_time(state, "u2", "a")) << "another profile is another activation";
    EXPECT_FALSE(first_time(state, "u2", "a"));
    auto logged = read_logged(state, ib0, "u2");
    logged.next();
    keep_logged(state, ib0, "u2", logged);
    EXPECT_TRUE(first_time(state, "u2", "a")) << "an error is logged again after down";
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
        run.write("logged-ib0", content);
        EXPECT_EQ(read_logged(run.path, ib0, "u"), nmib::LoggedLines());
    }
    EXPECT_TRUE(first_time(run.path, "with\nnewline", "line"));
    EXPECT_FALSE(first_time(run.path, "with\nnewline", "line"));
}
