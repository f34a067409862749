// SPDX-License-Identifier: LGPL-2.1-or-later
// Sentences of findings, changes and errors, and broken translations.
#include "core/base/result.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(FindingText, OutsideTextIsEscapedInOneLine)
{
    const Finding f{.kind = find_kind("connected-impossible"),
                    .link = ifname("ib\xc2\x9b"),
                    .values = {{"profile", std::string("a\nb{where}")},
                               {"cause", message(Finding::Cause::quirk, "\x1b]0;x\a{cause}")},
                               {"effect", Message{", using"}}}};
    const auto line = text(f);
    EXPECT_THAT(line, HasSubstr("ib\\xc2\\x9b: profile 'a\\x0ab{where}'"));
    EXPECT_THAT(line, HasSubstr("\\x1b]0;x\\x07{cause}, using"));
}

TEST(FindingText, BrokenTranslationFallsBackToEnglish)
{
    const Finding f{.kind = find_kind("no-subnet-manager"),
                    .link = ifname("ib0"),
                    .values = {{"hca", std::string("mlx4_0")}, {"port", std::string("1")}}};
    const auto original = text(f);
    EXPECT_EQ(original, "ib0: no subnet manager has set up mlx4_0 port 1 (SM LID 0)");
    EXPECT_EQ(text(f, [](const char *) { return "kaputt {nowhere}"; }), original);
    EXPECT_EQ(text(f, [](const char *) { return "kaputt {"; }), original);
    EXPECT_EQ(text(f, [](const char *) { return "kein Subnet-Manager an {hca}"; }), "kein Subnet-Manager an mlx4_0");
}

TEST(ChangeText, ChangesOfOneQuirkAreOneLine)
{
    Policy policy{.quirks = {lso_quirk(), lso_quirk()}};
    policy.quirks[1].name = "b\n";
    const auto on = [](const char *link, bool value, std::size_t quirk) {
        return SetFeature{1, ifname(link), tso, value, quirk};
    };
    const std::vector<Change> changes = {SetMode{1, ifname("ib0"), TransportMode::connected},
                                         SetMtu{1, ifname("ib0"), 65520, TransportMode::connected},
                                         on("ib0", false, 0),
                                         on("ib1", false, 0),
                                         on("ib2", true, 0),
                                         on("ib3", true, 1),
                                         on("ib4", true, 1),
                                         on("ib5", true, 9)};
    EXPECT_THAT(text(changes, policy), ElementsAre("ib0: transport mode set to connected", "ib0: MTU set to 65520",
                                                   "ib0 and 1 more: tx-tcp-segmentation switched off (quirk lso)",
                                                   "ib2: tx-tcp-segmentation switched on (quirk lso)",
                                                   "ib3 and 1 more: tx-tcp-segmentation switched on (quirk b\\x0a)",
                                                   "ib5: tx-tcp-segmentation switched on (quirk ?)"));
    EXPECT_TRUE(text(std::vector<Change>{}, policy).empty());
}

TEST(Error, ErrnoGivesTheErrorKind)
{
    EXPECT_EQ(error_kind(EINVAL), Error::Kind::refused);
    EXPECT_EQ(error_kind(ENOTUNIQ), Error::Kind::refused);
    EXPECT_EQ(error_kind(ENODEV), Error::Kind::absent);
    EXPECT_EQ(error_kind(EPERM), Error::Kind::denied);
    EXPECT_EQ(error_kind(EOPNOTSUPP), Error::Kind::unsupported);
    EXPECT_EQ(error_kind(EIO), Error::Kind::io);
    const auto e = sys_error(ENOENT, "/sys/class/net/ib0");
    EXPECT_EQ(e.what, "/sys/class/net/ib0: No such file or directory");
    EXPECT_EQ(e.kind, Error::Kind::absent);
}

TEST(Result, HoldsAValueOrAnError)
{
    Result<std::string> good = std::string("value");
    ASSERT_TRUE(good);
    EXPECT_EQ(good->size(), 5U);
    EXPECT_EQ(*std::move(good), "value");
    const Result<std::string> bad = Error{Error::Kind::denied, "no"};
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().what, "no");
    EXPECT_TRUE(Result<void>());
    EXPECT_EQ(Result<void>(Error{Error::Kind::io, "x"}).error().kind, Error::Kind::io);
}

} // namespace
} // namespace nmib
