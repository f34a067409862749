// SPDX-License-Identifier: LGPL-2.1-or-later
// Profiles in files of EL's network scripts.
#include "probe/ifcfg.hpp"
#include "probe/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::HasSubstr;

Result<Profile> parse(const std::string &text)
{
    const auto file = parse_ifcfg(text, "/etc/sysconfig/network-scripts/ifcfg-ib0");
    return file ? parse_profile(*file, "ifcfg-ib0") : Result<Profile>(file.error());
}

TEST(Ifcfg, APort)
{
    const auto p =
        parse("# made by hand\nTYPE=InfiniBand\nDEVICE=\"mlx4_ib0\" # the port\nNAME='my storage'\nUUID=5a3e\n"
              "CONNECTED_MODE=Yes\nMTU=65520\nBOOTPROTO=none\nIPADDR=192.0.2.1\n");
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_TRUE(p->infiniband);
    EXPECT_EQ(p->id, "my storage");
    EXPECT_EQ(p->uuid, "5a3e");
    EXPECT_FALSE(p->intent.anywhere);
    EXPECT_EQ(p->intent.mode, TransportMode::connected);
    EXPECT_EQ(p->intent.mtu, 65520U);
    EXPECT_FALSE(p->intent.p_key);
}

TEST(Ifcfg, AChild)
{
    const std::string child = "TYPE=infiniband\nDEVICE=ib0.8002\nPKEY=yes\nPHYSDEV=ib0\n";
    auto p = parse(child + "PKEY_ID=2\n");
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_EQ(p->id, "System ib0");
    EXPECT_EQ(p->intent.mode, TransportMode::datagram);
    EXPECT_EQ(p->intent.p_key, 0x8002);
    ASSERT_TRUE(p->intent.parent);
    EXPECT_EQ(p->intent.parent->str(), "ib0");
    p = parse(child + "PKEY_ID=2\nPKEY_ID_NM=0x3\n"); // as NetworkManager writes it, without the bit
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_EQ(p->intent.p_key, 0x0003);
    for (const auto *bad : {"", "PKEY_ID=x\n", "PKEY_ID=0x10000\n", "PKEY_ID=2\nPHYSDEV=\n"}) {
        p = parse(child + bad);
        ASSERT_FALSE(p) << bad;
        EXPECT_THAT(p.error().what, HasSubstr("PKEY=yes needs PHYSDEV, and PKEY_ID")) << bad;
    }
}

TEST(Ifcfg, OfAnotherType)
{
    const std::string lan = "TYPE=Ethernet\nDEVICE=eth0\n";
    const auto p = parse(lan);
    ASSERT_TRUE(p);
    EXPECT_FALSE(p->infiniband || p->is_private);
    EXPECT_TRUE(parse(lan + "USERS=alice\n")->is_private);
}

TEST(Ifcfg, WhichFilesAreProfiles)
{
    for (const auto *yes : {"ifcfg-ib0", "ifcfg-ib0.8002", "ifcfg-my storage"}) EXPECT_TRUE(is_ifcfg_name(yes)) << yes;
    for (const auto *no : {"ifcfg-", "ifup-ib", "route-ib0", "ifcfg-ib0~", "ifcfg-ib0.bak", "ifcfg-ib0.rpmnew", ""})
        EXPECT_FALSE(is_ifcfg_name(no)) << no;
}

TEST(Ifcfg, WhatOnlyAShellKnowsDoesNotCount)
{
    const auto p = parse("TYPE=InfiniBand\nMTU=$(cat mtu)\nCONNECTED_MODE=\"yes\nDEVICE=ib0 ls\nMTU\n export A=1\n=\n");
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_TRUE(p->infiniband);
    EXPECT_EQ(p->intent.mtu, 0U);
    EXPECT_EQ(p->intent.mode, TransportMode::datagram);
    EXPECT_TRUE(p->intent.anywhere);
    EXPECT_FALSE(parse(std::string("TYPE=InfiniBand\n\0", 17)));
    EXPECT_TRUE(parse(""));
}

} // namespace
} // namespace nmib
