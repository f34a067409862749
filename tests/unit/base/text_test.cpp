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
using Code = Finding::Code;

TEST(FindingText, EveryCodeHasItsOwnIdAndText)
{
    std::set<std::string_view> words;
    for (int c = 0; c <= static_cast<int>(Code::quirk_refused); c++) {
        Finding f{static_cast<Code>(c), ifname("ib0")};
        f.profile = "office";
        f.subject = "thing";
        f.detail = "detail";
        f.cause = Finding::Cause::driver;
        EXPECT_FALSE(id(f.code).empty());
        EXPECT_TRUE(words.insert(id(f.code)).second) << id(f.code);
        const auto line = text(f);
        EXPECT_EQ(line.rfind("ib0: ", 0), 0U) << line;
        EXPECT_GT(line.size(), 20U);
        EXPECT_EQ(line.find_first_of("{}\n"), std::string::npos) << line;
    }
    EXPECT_EQ(id(static_cast<Code>(99)), "");
    EXPECT_EQ(text(Finding{static_cast<Code>(99), ifname("ib0")}), "");
}

TEST(FindingText, OutsideTextIsEscapedInOneLine)
{
    Finding f{Code::connected_impossible, ifname("ib\xc2\x9b")};
    f.profile = "a\nb{link}";
    f.cause = Finding::Cause::quirk;
    f.detail = "\x1b]0;x\a{cause}";
    const auto line = text(f);
    EXPECT_THAT(line, HasSubstr("ib\\xc2\\x9b: profile 'a\\x0ab{link}'"));
    EXPECT_THAT(line, HasSubstr("\\x1b]0;x\\x07{cause}, using"));
}

TEST(FindingText, BrokenTranslationFallsBackToEnglish)
{
    Finding f{Code::no_subnet_manager, ifname("ib0")};
    f.subject = "mlx4_0";
    const auto original = text(f);
    EXPECT_EQ(text(f, [](const char *) { return "kaputt {nowhere}"; }), original);
    EXPECT_EQ(text(f, [](const char *) { return "kaputt {"; }), original);
    EXPECT_EQ(text(f, [](const char *) { return "kein Subnet-Manager an {subject}"; }),
              "kein Subnet-Manager an mlx4_0");
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
    using Kind = Error::Kind;
    EXPECT_EQ(error_kind(EINVAL), Kind::refused);
    EXPECT_EQ(error_kind(ENOTUNIQ), Kind::refused);
    EXPECT_EQ(error_kind(ENODEV), Kind::absent);
    EXPECT_EQ(error_kind(EPERM), Kind::denied);
    EXPECT_EQ(error_kind(EOPNOTSUPP), Kind::unsupported);
    EXPECT_EQ(error_kind(EIO), Kind::io);
    const auto e = sys_error(ENOENT, "/sys/class/net/ib0");
    EXPECT_EQ(e.what, "/sys/class/net/ib0: No such file or directory");
    EXPECT_EQ(e.kind, Kind::absent);
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
