// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/port_name.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

TEST(PortName, AcceptsLettersDigitsAndThreeSigns)
{
    for (const char *good :
         {"a", "Z", "0", "_", "mlx4_ib0", "a-b", "a.b", "123456789012345", "ib0", "all", "a..", "0-"}) {
        ASSERT_TRUE(PortName::parse(good)) << good;
        EXPECT_EQ(PortName::parse(good)->view(), good);
        EXPECT_EQ(PortName::parse(good)->ifname().view(), good);
    }
}

TEST(PortName, RefusesOtherCharacters)
{
    for (const char *bad : {"",    ".",       "..", ".a",  "-a",  "1234567890123456",
                            "a b", " a",      "a ", "a\n", "a/b", "a:b",
                            "a%b", "a*b",     "a?", "[a]", "a]",  "a=b",
                            "a;b", "#a",      "a#", "a\\", "a\"", "a'",
                            "$a",  "`a`",     "a!", "!a",  "a,b", "a|b",
                            "a&",  "{a}",     "a~", "a+b", "a@b", "a\x7f",
                            "a\t", "\xc3\xa4"})
        EXPECT_FALSE(PortName::parse(bad)) << bad;
    EXPECT_FALSE(PortName::parse(std::string_view("a\0b", 3)));
    int taken = 0;
    for (int c = 0; c < 256; c++) {
        const std::string inside = {'a', static_cast<char>(c)}, front(1, static_cast<char>(c));
        taken += PortName::parse(inside).has_value() + PortName::parse(front).has_value();
    }
    EXPECT_EQ(taken, 65 + 63);
}

TEST(PortName, FaultIsTheFirstThatApplies)
{
    using enum NameFault;
    const std::pair<const char *, std::optional<NameFault>> cases[] = {
        {"mlx4_ib0", {}},
        {"ib", {}},
        {"ib0a", {}},
        {"ibp5s0", {}},
        {"IB0", {}},
        {"ib_0", {}},
        {"a0", {}},
        {"1a", {}},
        {"1234567a90", {}},
        {"a.80", {}},
        {"a.80011", {}},
        {"a.800g", {}},
        {"a_8001", {}},
        {"", spelling},
        {"ib0:1", spelling},
        {"a b", spelling},
        {"1234567890123456", spelling},
        {"0", only_digits},
        {"123456789012345", only_digits},
        {"all", reserved},
        {"default", reserved},
        {"ALL", {}},
        {"ib0", kernel_like},
        {"ib123456789", kernel_like},
        {"ib0.8001", child_like},
        {"a.ABCD", child_like},
        {"a.b.0000", child_like},
        {"abcdefghij", {}},
        {"abcdefghijk", too_long},
        {"a23456789012345", too_long},
    };
    for (const auto &[name, expected] : cases) EXPECT_EQ(fault(name), expected) << name;
}

TEST(PortName, FaultTextIsOneLineThatStartsWithTheName)
{
    for (const auto f : {NameFault::spelling, NameFault::only_digits, NameFault::reserved, NameFault::kernel_like,
                         NameFault::child_like, NameFault::too_long}) {
        const auto line = text(f, "x\ny\x1b");
        EXPECT_TRUE(line.starts_with("'x\\x0ay\\x1b' ")) << line;
        EXPECT_EQ(line.find_first_of("\n{}"), line.npos) << line;
        EXPECT_GT(line.size(), 40U);
        EXPECT_EQ(can_be_forced(f), f == NameFault::too_long);
    }
}

} // namespace
} // namespace nmib
