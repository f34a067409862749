// SPDX-License-Identifier: LGPL-2.1-or-later
// Which files udev applies, key by key (net-condition.c and link-config.c of systemd 252).
#include "core/name/naming_world.hpp"
#include "name_make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{

void PrintTo(Verdict v, std::ostream *out)
{
    *out << (v == Verdict::yes ? "yes" : v == Verdict::no ? "no" : "perhaps");
}

namespace
{

using enum Verdict;

/// The verdict for ib0, the first port; `match` is the content of [Match].
Verdict verdict(const std::string &match, const PortIdentity &port = test::port())
{
    return matches(test::config("x.link", "[Match]\n" + match + "\n[Link]\nName=x\n"), port);
}

struct Case {
    std::string match;
    Verdict verdict;
};

void check(std::initializer_list<Case> cases, const PortIdentity &port = test::port())
{
    for (const auto &c : cases) EXPECT_EQ(verdict(c.match, port), c.verdict) << c.match;
}

TEST(Verdict, FileWithoutAConditionDoesNotMatch)
{
    check({{"", no}, {"Type=", no}, {"Type=infiniband\nType=", no}, {"X-Mine=1", no}});
    EXPECT_EQ(matches(test::config("x.link", "Type=infiniband\n[Link]\nType=infiniband\n"), test::port()), no);
    EXPECT_EQ(matches(test::config("x.link", "[Match]\nType=infiniband\n[Link\n"), test::port()), no) << "refused";
}

TEST(Verdict, GlobsMatchLikeUdev)
{
    check({
        {"Type=infiniband", yes},
        {"Type=ether", no},
        {"Type=ether infiniband", yes},
        {"Type=ether\nType=infiniband", yes},
        {"Type=infiniband\nType=\nType=ether", no},
        {"Type=infini*", yes},
        {"Type=inf?niban[a-d]", yes},
        {"Type=Infiniband", no},
        {"Type=\"infiniband\"", yes},
        {"Type='ether wlan' infiniband", yes},
        {"Type=\"infiniband ether\"", no},
        {"Type=infini\\*", perhaps},
        {"Type=infini\\band", perhaps},
        {"Type=*\\*", perhaps},
        {"Kind=ipoib", yes},
        {"Kind=bond", no},
        {"Kind=!bond", yes},
        {"Driver=ib_ipoib", yes},
        {"Driver=mlx5_core*", no},
        {"Path=pci-0000:05:00.0", yes},
        {"Path=pci-*", yes},
        {"Path=platform-*", no},
        {"type=infiniband", perhaps}, // unknown in 252; a newer udev may know the key
    });
}

/// '!' at the start of a line applies to all its words; elsewhere only to its own.
TEST(Verdict, ExclamationMarkInvertsLikeUdev)
{
    check({
        {"Type=!infiniband", no},
        {"Type=!ether", yes},
        {"Type=!ether wlan", yes},
        {"Type=!ether infiniband", no},
        {"Type=! infiniband", no},
        {"Type=ether !infiniband", no},
        {"Type=ether !wlan", no},
        {"Type=infiniband !wlan", yes},
        {"Type=infiniband !inf*", no},
        {"Type=!ether\nType=infiniband", yes},
        {"Type=!ether\nType=wlan", no},
        {"Type=!!infiniband", yes},
        {"Path=!platform-*", yes},
    });
}

TEST(Verdict, MissingPropertiesMatchOnlyInvertedConditions)
{
    auto bare = test::port();
    bare.interface->properties.clear();
    check({{"Path=*", no},
           {"Path=!pci-*", yes},
           {"Property=ID_PATH=*", no},
           {"Property=!ID_PATH=*", yes},
           {"Driver=ib_ipoib", perhaps},
           {"Type=ether\nDriver=ib_ipoib", no}},
          bare);
    bare.interface.reset();
    check({{"Type=infiniband", perhaps}, {"", no}}, bare);
}

TEST(Verdict, EveryPropertyMustMatch)
{
    const auto address = "Property=ID_IPOIB_ADDRESS=*:" + test::first_guid;
    check({
        {address, yes},
        {"Property=ID_IPOIB_ADDRESS=*:00:02:C9:03:00:0A:00:01", no}, // globs are case-sensitive
        {"Property=ID_IPOIB_ADDRESS=" + test::first_guid, no},
        {"Property=ID_IPOIB_DEV_PORT=0", yes},
        {"Property=ID_IPOIB_DEV_PORT=1", no},
        {"Property=ID_IPOIB_DEV_PORT=", no},
        {"Property=ID_PATH=pci-* ID_IPOIB_DEV_PORT=0", yes}, // all must hold
        {"Property=ID_PATH=pci-* ID_IPOIB_DEV_PORT=1", no},
        {"Property=ID_PATH=pci-*\nProperty=ID_IPOIB_DEV_PORT=1", no},
        {"Property=ID_IPOIB_DEV_PORT=1\nProperty=\nProperty=ID_PATH=*", yes},
        {"Property=!ID_IPOIB_DEV_PORT=1", yes},
        {"Property=!ID_IPOIB_DEV_PORT=0", no},
        {"Property=!ID_NONE=1 ID_PATH=platform-*", yes}, // '!' applies to both
        {"Property=!ID_NONE=1 ID_PATH=pci-*", no},
        {"Property=ID_PATH=pci-* nonsense", yes},
        {"Property=\"ID_PATH=pci-0000:05:00.0\"", yes},
        {"Property=ID_PATH=pci-0000\\x3a05:00.0", perhaps},
        {"Property=ID_PATH=pci-0000\\:05:00.0", perhaps},
        {"Property=ID_PATH=pci-* ID_IPOIB_DEV_PORT=\\q", perhaps},
        {"Property=ID_NONE=*", no},
        {"Property=INTERFACE=ib0", perhaps},
        {"Property=!INTERFACE=ib0", perhaps},
        {"Property=INTERFACE=ib0 ID_PATH=platform-*", no},
    });
}

TEST(Verdict, AddressMatchesOnlyInFull)
{
    const auto all = test::first_address;
    check({
        {"MACAddress=" + all, yes},
        {"MACAddress=00:11:22:33:44:55 " + all, yes},
        {"MACAddress=00:11:22:33:44:55\nMACAddress=" + all, yes},
        {"MACAddress=" + all + "\nMACAddress=\nMACAddress=00:11:22:33:44:55", no},
        {"MACAddress=8000.0208.fe80.0000.0000.0000.0002.C903.000A.0001", perhaps},
        {"MACAddress=80:00:02:09:fe:80:00:00:00:00:00:00:" + test::first_guid, no}, // another queue pair number
        {"MACAddress=" + test::first_guid, perhaps},                                // an IPv6 address
        {"MACAddress=*:" + test::first_guid, perhaps},
        {"Type=infiniband\nMACAddress=*:" + test::first_guid, perhaps},
        {"Type=infiniband\nMACAddress=\"" + all + "\"", yes},
        {"Type=infiniband\nMACAddress=!" + all, perhaps},
        {"Type=infiniband\nMACAddress=00:11:22:33:44:55", no},
        {"PermanentMACAddress=" + all, yes},
        {"PermanentMACAddress=80:00:02:09:fe:80:00:00:00:00:00:00:" + test::first_guid, perhaps},
        {"PermanentMACAddress=80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:02", no},
    });
}

TEST(Verdict, OriginalNameOfARenamedInterfaceIsUnknown)
{
    check({{"OriginalName=*", yes},
           {"OriginalName=ib0", yes},
           {"OriginalName=ib*", yes},
           {"OriginalName=ib1", no},
           {"OriginalName=eth0 ib0", yes},
           {"OriginalName=!eth*", yes},
           {"OriginalName=!ib0 eth0", no},
           {"OriginalName=i\\b0", perhaps}},
          test::port("ib0"));
    // the kernel's name is unknown
    check({{"OriginalName=*", yes},
           {"OriginalName=ib*", perhaps},
           {"OriginalName=ib* mlx_a", yes},
           {"OriginalName=ib0", perhaps},
           {"OriginalName=mlx_a", perhaps},
           {"OriginalName=eth*", no},
           {"OriginalName=!eth*", yes},
           {"OriginalName=!ib0", perhaps}},
          test::port("mlx_a"));
}

TEST(Verdict, ConditionsOfTheMachineAreUnknown)
{
    for (const char *key :
         {"Host", "Virtualization", "KernelCommandLine", "KernelVersion", "Credential", "Architecture", "Firmware"}) {
        EXPECT_EQ(verdict(std::string(key) + "=x"), perhaps) << key;
        EXPECT_EQ(verdict(std::string(key) + "=!x"), perhaps) << key;
        EXPECT_EQ(verdict(std::string(key) + "=x\nType=infiniband"), perhaps) << key;
        EXPECT_EQ(verdict(std::string(key) + "=x\nType=ether"), no) << key;
        EXPECT_EQ(verdict(std::string(key) + "=x\n" + key + "=\nType=infiniband"), yes) << key;
    }
}

TEST(Verdict, FirstMatchingFileWins)
{
    const std::vector<LinkConfig> all = {
        test::config("10.link", "[Match]\nType=ether\n"),      test::config("20.link", "[Match]\nHost=a\n"),
        test::config("30.link", "[Link]\nName=x\n"),           test::config("40.link", "[Match]\nKernelVersion=6\n"),
        test::config("50.link", "[Match]\nType=infiniband\n"), test::config("60.link", "[Match]\nHost=b\n"),
        test::config("99.link", "[Match]\nOriginalName=*\n")};
    EXPECT_EQ(winner(all, test::port()), &all[4]);
    EXPECT_EQ(winner(std::span(all).first(4), test::port()), nullptr);
    EXPECT_EQ(winner({}, test::port()), nullptr);
}

} // namespace
} // namespace nmib
