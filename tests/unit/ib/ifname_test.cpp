// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/ifname.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

TEST(IfName, AcceptsNamesThatTheKernelAccepts)
{
    for (const char *good :
         {"a", "ib0", "ib0.8002", "mlx4_ib0", "ibp129s0f0d1", "123456789012345", "...", "a%b", "-", "\xc3\xa4"}) {
        const auto n = IfName::parse(good);
        ASSERT_TRUE(n) << good;
        EXPECT_EQ(n->view(), good);
        EXPECT_STREQ(n->c_str(), good);
        EXPECT_EQ(n->size(), std::string_view(good).size());
    }
}

TEST(IfName, RefusesNamesThatTheKernelRefuses)
{
    for (const char *bad : {"", ".", "..", "a/b", "/", "1234567890123456", "a:b", "a b", " ", "a\n", "\tb", "a\x7f"})
        EXPECT_FALSE(IfName::parse(bad)) << bad;
    EXPECT_FALSE(IfName::parse(std::string_view("a\0b", 3)));
    EXPECT_FALSE(IfName::parse(std::string_view("\0", 1)));
}

TEST(IfName, EveryByteIsEitherRefusedOrKept)
{
    for (int c = 0; c < 256; c++) {
        const std::string text = {'a', static_cast<char>(c)};
        const bool good = c > ' ' && c != 0x7f && c != '/' && c != ':';
        const auto n = IfName::parse(text);
        ASSERT_EQ(n.has_value(), good) << c;
        if (n) {
            EXPECT_EQ(n->str(), text);
        }
    }
}

TEST(IfName, OrdersAsText)
{
    const auto a = *IfName::parse("ib0"), b = *IfName::parse("ib0.8002"), c = *IfName::parse("ib1");
    EXPECT_LT(a, b);
    EXPECT_LT(b, c);
    EXPECT_EQ(a, *IfName::parse("ib0"));
    EXPECT_NE(a, c);
}

} // namespace
} // namespace nmib
