// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/link.hpp"

#include <gtest/gtest.h>

#include <array>
#include <tuple>
#include <vector>

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

TEST(LinkTest, WidestLinkOfTheBitsIsFound)
{
    for (const auto &[bits, lanes] : {std::pair(0x01, 1U),
                                      {0x02, 4U},
                                      {0x04, 8U},
                                      {0x08, 12U},
                                      {0x10, 2U},
                                      {0x11, 2U},
                                      {0x12, 4U},
                                      {0x14, 8U},
                                      {0x1f, 12U},
                                      {0, 0U},
                                      {0x20, 0U}}) {
        auto data = ndr_port();
        data[29] = data[30] = data[31] = static_cast<std::uint8_t>(bits);
        const auto info = PortInfo::parse(data);
        for (const auto &link : {info->enabled, info->supported, info->active}) EXPECT_EQ(link.lanes, lanes) << bits;
    }
}

TEST(LinkTest, FastestSpeedOfTheBitsIsFound)
{
    struct Case {
        unsigned ext, base;
        const char *speed;
    };
    // The fields of the extended speeds come first, and the highest bit in each.
    for (const auto &[ext, base, speed] :
         {Case{0, 1, "4X SDR"}, Case{0, 2, "4X DDR"}, Case{0, 3, "4X DDR"}, Case{0, 4, "4X QDR"}, Case{0, 7, "4X QDR"},
          Case{1, 7, "4X FDR"}, Case{2, 7, "4X EDR"}, Case{3, 7, "4X EDR"}, Case{4, 7, "4X HDR"}, Case{8, 1, "4X NDR"},
          Case{0, 0, "4X"}}) {
        auto data = ndr_port();
        data[31] = data[30] = data[29] = 2;
        data[32] = static_cast<std::uint8_t>(base << 4U), data[35] = static_cast<std::uint8_t>(base << 4U | base);
        data[62] = static_cast<std::uint8_t>(ext << 4U | ext), data[63] = static_cast<std::uint8_t>(ext);
        const auto info = PortInfo::parse(data);
        for (const auto &link : {info->enabled, info->supported, info->active}) EXPECT_EQ(link.str(), speed);
    }
}

TEST(LinkTest, EachFieldOfPortInfoIsReadAtItsPlace)
{
    auto data = ndr_port();
    data[29] = 1, data[30] = 8, data[31] = 0x10;
    data[32] = 0x40, data[35] = 0x21;
    data[62] = 0x02, data[63] = 0;
    data[36] = 0x40, data[41] = 0x03;
    auto info = PortInfo::parse(data);
    EXPECT_EQ(info->enabled.str(), "1X SDR");
    EXPECT_EQ(info->supported.str(), "12X EDR");
    EXPECT_EQ(info->active.str(), "2X DDR");
    EXPECT_EQ(info->mtu, 2048U);
    EXPECT_EQ(info->max_mtu, 1024U);
    for (const auto &[bits, supported, active, enabled] : {std::tuple(0x08, "12X XDR", "2X DDR", "1X SDR"),
                                                           {0x20, "12X EDR", "2X XDR", "1X SDR"},
                                                           {0x01, "12X EDR", "2X DDR", "1X XDR"}}) {
        data[56] = static_cast<std::uint8_t>(bits);
        info = PortInfo::parse(data);
        EXPECT_EQ(info->supported.str(), supported) << bits;
        EXPECT_EQ(info->active.str(), active) << bits;
        EXPECT_EQ(info->enabled.str(), enabled) << bits;
    }
}

TEST(LinkTest, ImpossiblePortInfoIsRefused)
{
    auto data = ndr_port();
    EXPECT_FALSE(PortInfo::parse(std::span(data).first(63)));
    data[36] = 0x60;
    EXPECT_FALSE(PortInfo::parse(data));
    data[36] = 0x00;
    EXPECT_FALSE(PortInfo::parse(data));
    data = ndr_port(), data[41] = 0x06;
    EXPECT_FALSE(PortInfo::parse(data));
    data[41] = 0x01, data[36] = 0x10;
    EXPECT_EQ(PortInfo::parse(data)->mtu, 256U);
    EXPECT_FALSE(PortInfo::parse(std::array<std::uint8_t, 64>{}));
}

TEST(LinkTest, RateOfSysfsIsParsed)
{
    EXPECT_EQ(PortLink::parse("4X NDR")->str(), "4X NDR");
    EXPECT_EQ(PortLink::parse("1X")->str(), "1X SDR");
    EXPECT_EQ(PortLink::parse("2X HDR")->lanes, 2U);
    EXPECT_EQ(PortLink::parse("12X QDR")->lanes, 12U);
    EXPECT_EQ(PortLink::parse("4X LATER")->speed, LaneSpeed::none);
    EXPECT_EQ(PortLink::parse("4X LATER")->str(), "4X");
    EXPECT_EQ(PortLink::parse("4X XDR")->mbps(), 850000U);
    EXPECT_EQ(PortLink::parse("13X NDR"), std::nullopt);
    for (const auto *text : {"", "X", "4", "0X", "99X NDR"}) EXPECT_FALSE(PortLink::parse(text)) << text;
}

TEST(LinkTest, PciLinkIsParsed)
{
    EXPECT_EQ(PciLink::parse("8.0 GT/s PCIe", "4").str(), "8 GT/s x4 (31 Gbit/s)");
    EXPECT_EQ(PciLink::parse("2.5 GT/s PCIe", "1").str(), "2.5 GT/s x1 (2 Gbit/s)");
    EXPECT_EQ(PciLink::parse("8 GT/s", "16").gbits(), 126U) << "Linux before 5.8";
    EXPECT_EQ(PciLink::parse("8.0 GT/s PCIe", "8").mbps(), 63015U);
    // The encoding changes after 5 GT/s and after 32 GT/s.
    EXPECT_EQ(PciLink::parse("5.0 GT/s PCIe", "16").gbits(), 64U);
    EXPECT_EQ(PciLink::parse("32.0 GT/s PCIe", "16").gbits(), 504U);
    EXPECT_EQ(PciLink::parse("64.0 GT/s PCIe", "16").gbits(), 944U);
    EXPECT_EQ(PciLink::parse("2.5 GT/s PCIe", "1").mtps, 2500U);
    EXPECT_EQ(PciLink::parse("2.5 GT/s PCIe", "32").lanes, 32U);
    EXPECT_EQ(PciLink::parse("2.5 GT/s PCIe", "33").lanes, 0U);
    for (const auto &[speed, width] : {std::pair("Unknown", "8"),
                                       {"8.0 GT/s PCIe", "0"},
                                       {"", ""},
                                       {"Unknown speed", "255"},
                                       {"2.x GT/s", "8"},
                                       {".5 GT/s", "8"},
                                       {"2.10 GT/s", "8"},
                                       {"1001 GT/s", "8"}})
        EXPECT_FALSE(PciLink::parse(speed, width).is_known()) << speed;
}

const PciLink full{32000, 16};

TEST(LinkTest, NarrowLinkIsTheSlowestOfThoseBelowWhatBothEndsCan)
{
    const auto hop = [](const char *address, PciLink current, PciLink maximum) {
        return PciHop{address, current, maximum};
    };
    const auto narrow = [](std::vector<PciHop> path) {
        const auto found = narrow_link(path);
        return found ? found->lower->address + ", " + found->possible.str() : "";
    };
    const std::vector<PciHop> good = {hop("card", full, full), hop("port", full, full)};
    EXPECT_EQ(narrow(good), "");
    EXPECT_EQ(narrow({good[0]}), "") << "a link has two ends";
    EXPECT_EQ(narrow({}), "");
    // One of speed and width is enough.
    EXPECT_EQ(narrow({hop("card", {16000, 16}, full), good[1]}), "card, 32 GT/s x16 (504 Gbit/s)");
    EXPECT_EQ(narrow({hop("card", {32000, 8}, full), good[1]}), "card, 32 GT/s x16 (504 Gbit/s)");
    // The slot has no more.
    EXPECT_EQ(narrow({hop("card", {16000, 8}, full), hop("port", {16000, 8}, {16000, 8})}), "");
    EXPECT_EQ(narrow({hop("card", {8000, 8}, full), hop("port", {8000, 8}, {16000, 8})}),
              "card, 16 GT/s x8 (126 Gbit/s)");
    // A link of which one value is unknown is not judged.
    for (const auto &[current, maximum, upper] :
         {std::tuple(PciLink{}, full, full), {PciLink{8000, 4}, PciLink{}, full}, {PciLink{8000, 4}, full, PciLink{}}})
        EXPECT_EQ(narrow({hop("card", current, maximum), hop("port", full, upper)}), "");
    // The slower of two links; of equal links the one near the card. The link in between is inside a switch.
    const auto bridge = [&](PciLink current) {
        return std::vector<PciHop>{hop("card", {8000, 8}, full), good[1], hop("switch", current, full), good[1]};
    };
    EXPECT_EQ(narrow(bridge({8000, 4})), "switch, 32 GT/s x16 (504 Gbit/s)");
    EXPECT_EQ(narrow(bridge({8000, 8})), "card, 32 GT/s x16 (504 Gbit/s)");
    EXPECT_EQ(narrow(bridge(full)), "card, 32 GT/s x16 (504 Gbit/s)");
    EXPECT_EQ(narrow({good[0], hop("port", {8000, 4}, full), good[0], good[1]}), "");
}

} // namespace
} // namespace nmib
