// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/link.hpp"

#include <gtest/gtest.h>

#include <array>

namespace nmib
{
namespace
{

/// PortInfo of a ConnectX-7 on a switch of the same generation.
std::array<std::uint8_t, 64> ndr_port()
{
    std::array<std::uint8_t, 64> data{};
    data[29] = 0x03, data[30] = 0x1f, data[31] = 0x02; // width enabled 1X and 4X, supported all, active 4X
    data[32] = 0x74;                                   // SDR, DDR, QDR supported; state Active
    data[35] = 0x47;                                   // QDR active, all enabled
    data[36] = 0x50, data[41] = 0x05;                  // MTU 4096
    data[62] = 0x8f, data[63] = 0x0f;                  // NDR active; FDR to NDR supported and enabled
    return data;
}

TEST(PciAddressTest, DomainHasFourDigitsOrMore)
{
    for (const auto *good : {"0000:05:00.0", "10000:e1:00.1", "ffff:ff:1f.7"})
        EXPECT_TRUE(is_pci_address(good)) << good;
    for (const auto *bad :
         {"", "05:00.0", "0000:05:00.8", "0000:05:20.0", "pci0000:00", "0000-05:00.0", "x000:05:00.0"})
        EXPECT_FALSE(is_pci_address(bad)) << bad;
}

TEST(LinkTest, PortInfoIsParsed)
{
    const auto info = PortInfo::parse(ndr_port());
    ASSERT_TRUE(info);
    EXPECT_EQ(info->mtu, 4096U);
    EXPECT_EQ(info->active.str(), "4X NDR");
    EXPECT_EQ(info->enabled.str(), "4X NDR");
    EXPECT_EQ(info->supported.str(), "12X NDR");
    EXPECT_EQ(info->active.mbps(), 425000U);
}

TEST(LinkTest, SpeedsOfEachFieldAreParsed)
{
    auto data = ndr_port();
    data[56] = 0x2d; // XDR active, supported, enabled
    EXPECT_EQ(PortInfo::parse(data)->active.str(), "4X XDR");
    EXPECT_EQ(PortInfo::parse(data)->supported.speed, LaneSpeed::xdr);
    data = ndr_port();
    data[62] = 0x0f, data[35] = 0x17, data[31] = 0x01; // no extended speed
    EXPECT_EQ(PortInfo::parse(data)->active.str(), "1X SDR");
    data[63] = 30; // extended speeds disabled
    EXPECT_EQ(PortInfo::parse(data)->enabled.str(), "4X QDR");
    data[63] = 31; // all that are supported
    EXPECT_EQ(PortInfo::parse(data)->enabled.str(), "4X NDR");
}

TEST(LinkTest, ImpossiblePortInfoIsRefused)
{
    auto data = ndr_port();
    EXPECT_FALSE(PortInfo::parse(std::span(data).first(63)));
    data[36] = 0x60;
    EXPECT_FALSE(PortInfo::parse(data));
    EXPECT_FALSE(PortInfo::parse(std::array<std::uint8_t, 64>{}));
}

TEST(LinkTest, RateOfSysfsIsParsed)
{
    EXPECT_EQ(PortLink::parse("4X NDR")->str(), "4X NDR");
    EXPECT_EQ(PortLink::parse("1X")->str(), "1X SDR");
    EXPECT_EQ(PortLink::parse("2X HDR")->lanes, 2U);
    EXPECT_EQ(PortLink::parse("4X LATER")->speed, LaneSpeed::none);
    for (const auto *text : {"", "X", "4", "0X", "99X NDR"}) EXPECT_FALSE(PortLink::parse(text)) << text;
}

TEST(LinkTest, PciLinkIsParsed)
{
    EXPECT_EQ(PciLink::parse("8.0 GT/s PCIe", "4").str(), "8 GT/s x4 (31 Gbit/s)");
    EXPECT_EQ(PciLink::parse("2.5 GT/s PCIe", "1").str(), "2.5 GT/s x1 (2 Gbit/s)");
    EXPECT_EQ(PciLink::parse("8 GT/s", "16").gbits(), 126U) << "Linux before 5.8";
    for (const auto &[speed, width] :
         {std::pair("Unknown", "8"), {"8.0 GT/s PCIe", "0"}, {"", ""}, {"Unknown speed", "255"}})
        EXPECT_FALSE(PciLink::parse(speed, width).is_known()) << speed;
}

} // namespace
} // namespace nmib
