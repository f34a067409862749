// SPDX-License-Identifier: LGPL-2.1-or-later
// Hardware addresses, GUIDs, P_Keys and feature names.
#include "core/ib/hwaddr.hpp"
#include "core/ib/mode.hpp"
#include "core/ib/pkey.hpp"
#include "core/plan/feature.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

constexpr const char *mlx4 = "80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:e1:b1";
constexpr const char *mlx5 = "00:00:10:86:fe:80:00:00:00:00:00:00:b8:ce:f6:03:00:00:01:02";

TEST(HwAddr, ParsesTheKernelFormat)
{
    const auto a = HwAddr::parse(mlx4);
    ASSERT_TRUE(a);
    EXPECT_TRUE(a->rc_capable());
    EXPECT_EQ(a->guid().value, 0xf4521403007be1b1U);
    EXPECT_EQ(a->guid().bytes(), "f4:52:14:03:00:7b:e1:b1");
    EXPECT_EQ(a->str(), mlx4);
    EXPECT_FALSE(HwAddr::parse(mlx5)->rc_capable());
    EXPECT_EQ(HwAddr{}.guid(), Guid{0});
}

TEST(HwAddr, ParsesOtherSpellings)
{
    const auto a = *HwAddr::parse(mlx4);
    EXPECT_EQ(HwAddr::parse("80-00-02-08-FE-80-00-00-00-00-00-00-F4-52-14-03-00-7B-E1-B1"), a);
    EXPECT_EQ(HwAddr::parse(std::string(mlx4) + "\n"), a);
    EXPECT_EQ(HwAddr::parse("80:0:2:8:fe:80:0:0:0:0:0:0:f4:52:14:3:0:7b:e1:b1"), a);
    EXPECT_NE(HwAddr::parse(mlx5), a);
}

TEST(HwAddr, RefusesOtherTextAndLengths)
{
    const std::string good = mlx4;
    for (const std::string &bad :
         {std::string(), good.substr(0, good.size() - 3), good + ":", ":" + good, good + ":00", good + " 00",
          "0x" + good, std::string("f4:52:14:03:00:7b:e1:b1"), good.substr(0, 57) + "g1", good.substr(0, 57) + "-1",
          good.substr(0, 57) + "0x", "080" + good.substr(2), std::string(19, ':'), std::string(59, 'a')})
        EXPECT_FALSE(HwAddr::parse(bad)) << bad;
    std::array<std::uint8_t, 32> bytes{};
    for (std::size_t n = 0; n <= bytes.size(); n++)
        EXPECT_EQ(HwAddr::from({bytes.data(), n}).has_value(), n == 20) << n;
}

TEST(HwAddr, ConnectedModeIsBit7OfByte0)
{
    std::array<std::uint8_t, 20> bytes{};
    for (int flags = 0; flags < 256; flags++) {
        bytes[0] = static_cast<std::uint8_t>(flags);
        EXPECT_EQ(HwAddr::from(bytes)->rc_capable(), flags >= 0x80);
    }
}

TEST(PKey, RefusesZeroAnd0x8000)
{
    for (std::uint32_t v = 0; v <= 0x10002; v++) {
        const auto k = PKey::from(v);
        ASSERT_EQ(k.has_value(), v != 0 && v != 0x8000 && v <= 0xffff) << v;
        if (!k) continue;
        ASSERT_EQ(k->value(), v);
        ASSERT_EQ(k->partition(), v & 0x7fff);
        ASSERT_EQ(k->full_member(), v >= 0x8000);
        ASSERT_EQ(k->full().value(), v | 0x8000);
    }
    EXPECT_FALSE(PKey::from(UINT32_MAX));
}

TEST(PKey, TextHasFourHexDigits) { EXPECT_EQ(PKey::from(2)->str(), "0x0002"); }

TEST(FeatureName, AcceptsOnlyLowercaseLettersDigitsAndHyphens)
{
    EXPECT_EQ(FeatureName::parse("tx-tcp-segmentation")->view(), "tx-tcp-segmentation");
    EXPECT_EQ(FeatureName::parse("a")->view(), "a");
    EXPECT_EQ(FeatureName::parse(std::string(31, 'x'))->view(), std::string(31, 'x'));
    for (const char *bad : {"", "TSO", "a b", "a_b", "a.b", "a\n", "tx/../..", "\xc3\xa4", "a="})
        EXPECT_FALSE(FeatureName::parse(bad)) << bad;
    EXPECT_FALSE(FeatureName::parse(std::string(32, 'x')));
    EXPECT_FALSE(FeatureName::parse(std::string_view("a\0b", 3)));
    EXPECT_NE(FeatureName::parse("tx-tcp"), FeatureName::parse("tx-tcp6"));
}

TEST(Mode, ParsesOnlyTheTwoWordsOfTheKernel)
{
    for (const auto mode : {TransportMode::datagram, TransportMode::connected}) EXPECT_EQ(parse_mode(name(mode)), mode);
    for (const char *bad : {"", "Connected", "connected\n", "c", "dgram"}) EXPECT_FALSE(parse_mode(bad)) << bad;
}

} // namespace
} // namespace nmib
