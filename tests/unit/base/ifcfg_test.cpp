// SPDX-License-Identifier: LGPL-2.1-or-later
// Profiles in files of EL's network-scripts.
#include "probe/base/ifcfg.hpp"
#include "probe/plan/profile.hpp"

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
    return file.and_then([](auto &f) { return parse_profile(f, "ifcfg-ib0"); });
}

TEST(Ifcfg, PortProfileIsRead)
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

TEST(Ifcfg, ChildProfileIsRead)
{
    const std::string child = "TYPE=infiniband\nDEVICE=ib0.8002\nPKEY=yes\nPHYSDEV=ib0\n";
    auto p = parse(child + "PKEY_ID=2\n");
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_EQ(p->id, "System ib0");
    EXPECT_EQ(p->intent.mode, TransportMode::datagram);
    EXPECT_EQ(p->intent.p_key, 0x8002);
    ASSERT_TRUE(p->intent.parent);
    EXPECT_EQ(p->intent.parent->str(), "ib0");
    p = parse(child + "PKEY_ID=2\nPKEY_ID_NM=0x3\n"); // as written by NetworkManager, without the membership bit
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_EQ(p->intent.p_key, 0x0003);
    for (const auto *bad : {"", "PKEY_ID=x\n", "PKEY_ID=0x10000\n", "PKEY_ID=2\nPHYSDEV=\n"}) {
        p = parse(child + bad);
        ASSERT_FALSE(p) << bad;
        EXPECT_THAT(p.error().what, HasSubstr("PKEY=yes needs PHYSDEV, and PKEY_ID")) << bad;
    }
}

TEST(Ifcfg, OtherTypeHasNoInfinibandIntent)
{
    const std::string lan = "TYPE=Ethernet\nDEVICE=eth0\n";
    const auto p = parse(lan);
    ASSERT_TRUE(p);
    EXPECT_FALSE(p->infiniband || p->is_private);
    for (const auto *users : {"alice", "\"alice a(b\"", "\"alice a\\$\"", "$'alice a\\tb'", "a|b", "\"alice"})
        EXPECT_TRUE(parse(lan + "USERS=" + users + "\n")->is_private) << users;
    EXPECT_FALSE(parse(lan + "USERS=\n")->is_private);
}

TEST(Ifcfg, BackupFilesAreNoProfiles)
{
    for (const auto *yes : {"ifcfg-ib0", "ifcfg-ib0.8002", "ifcfg-my storage"}) EXPECT_TRUE(is_ifcfg_name(yes)) << yes;
    for (const auto *no : {"ifcfg-", "ifup-ib", "route-ib0", "ifcfg-ib0~", "ifcfg-ib0.bak", "ifcfg-ib0.rpmnew", "",
                           "ifcfg-ib0.Orig", "ifcfg-ib0;0123abCD", "ifcfg-ib0:0"})
        EXPECT_FALSE(is_ifcfg_name(no)) << no;
}

TEST(Ifcfg, ShellExpressionsAreIgnored)
{
    const auto p = parse("TYPE=InfiniBand\nMTU=$(cat mtu)\nCONNECTED_MODE=\"yes\nDEVICE=ib0 ls\nMTU\n export A=1\n=\n");
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_TRUE(p->infiniband);
    EXPECT_EQ(p->intent.mtu, 0U);
    EXPECT_EQ(p->intent.mode, TransportMode::datagram);
    EXPECT_TRUE(p->intent.anywhere);
    EXPECT_TRUE(parse(std::string("TYPE=InfiniBand\n\0", 17))->infiniband);
    EXPECT_TRUE(parse(""));
}

TEST(Ifcfg, ValuesAreReadLikeNetworkManager)
{
    const auto p_key = [](const std::string &id) {
        const auto p = parse("TYPE=InfiniBand\nDEVICE=ib0\nPKEY=yes;\nPHYSDEV=ib0\nPKEY_ID=" + id + "\n");
        return p ? unsigned{p->intent.p_key.value_or(0)} : 0U;
    };
    for (const auto &[text, key] : std::initializer_list<std::pair<const char *, unsigned>>{
             {"010", 0x8008}, {"\" 2 \"", 0x8002}, {"+3", 0x8003}, {"4;", 0x8004}, {"09", 0}, {"0x", 0}, {"-1", 0}})
        EXPECT_EQ(p_key(text), key) << text;
    const auto mode = [](const std::string &lines) { return parse("TYPE=InfiniBand\n" + lines)->intent.mode; };
    for (const auto *yes : {"yes; # now", "$'yes'", "y\\es", "'y'\"es\"", "yes  #"})
        EXPECT_EQ(mode("CONNECTED_MODE=" + std::string(yes) + "\n"), TransportMode::connected) << yes;
    for (const auto *no : {"yes no", "yes#x", "\"$yes\"", "yes;;", "'yes", "yes\\"})
        EXPECT_EQ(mode("CONNECTED_MODE=" + std::string(no) + "\n"), TransportMode::datagram) << no;
    EXPECT_EQ(mode("CONNECTED_MODE=yes\nCONNECTED_MODE=no extra\n"), TransportMode::datagram);
    EXPECT_EQ(parse("TYPE=InfiniBand\nMTU=0xffdc\n")->intent.mtu, 65500U);
    EXPECT_EQ(parse("TYPE=InfiniBand\nMTU=04000\n")->intent.mtu, 2048U);
}

} // namespace
} // namespace nmib
