// SPDX-License-Identifier: LGPL-2.1-or-later
// plan(): P_Keys, long names and the port's state.
#include "id.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// ib0 with a child of P_Key 0x8002 (ifindex 5), and a profile for this key.
struct Partition : testing::Test {
    Facts facts{connectx(0xb0), {port_link(4, "ib0"), child_link(5, "ib0.8002", 4, 0x8002)}};
    RdmaPort &port = facts.device->ports[0];
    Intent intent{.ifindex = 5, .profile = "part"};
    Policy policy{};

    Partition()
    {
        port.pkeys = pkey_table({test::pkey(0xffff), test::pkey(0x8002)});
        intent.p_key = 0x8002;
    }
    Plan plan() const { return nmib::plan(facts, intent, policy); }
    void wrong(const std::string &shown_key)
    {
        const auto p = plan();
        ASSERT_THAT(codes(p), ElementsAre("profile-in-wrong-partition"_id));
        EXPECT_EQ(p.findings[0].severity, Severity::error);
        EXPECT_THAT(text(p.findings[0]), HasSubstr("the interface of P_Key " + shown_key));
        EXPECT_THAT(p.changes, IsEmpty());
        EXPECT_THAT(text(p.findings[0]), HasSubstr("infiniband.parent"));
    }
};

TEST_F(Partition, RightPartitionHasNoFinding)
{
    EXPECT_EQ(dump(plan()), "");
    intent.p_key.reset();
    EXPECT_EQ(dump(plan()), "");
}

TEST_F(Partition, PartitionThatTheProfileDoesNotNameIsReported)
{
    intent.anywhere = true;
    EXPECT_EQ(dump(plan()), "");
    intent.p_key.reset();
    const auto p = plan();
    ASSERT_THAT(codes(p), ElementsAre("partition-unasked"_id));
    EXPECT_THAT(text(p.findings[0]), HasSubstr("ib0.8002 is the interface of P_Key 0x8002"));
    intent.ifindex = 4;
    EXPECT_EQ(dump(plan()), "");
}

TEST_F(Partition, AddedMembershipBitIsReported)
{
    intent.p_key = 2;
    const auto p = plan();
    ASSERT_THAT(codes(p), ElementsAre("pkey-membership-added"_id));
    EXPECT_THAT(text(p.findings[0]), HasSubstr("P_Key 0x0002, using 0x8002 instead"));
}

TEST_F(Partition, InterfaceOfAnotherPKeyIsTheWrongPartition)
{
    intent.p_key = 0x8003;
    wrong("0x8002");
}

TEST_F(Partition, PortInterfaceIsTheWrongPartitionForAPKeyProfile)
{
    intent.ifindex = 4;
    wrong("0xffff");
    EXPECT_THAT(text(plan().findings[0]), HasSubstr("ib0: profile 'part' is for P_Key 0x8002"));
}

TEST_F(Partition, PortInterfaceIsRightForItsOwnPKey)
{
    intent.ifindex = 4;
    for (const std::uint16_t key : {std::uint16_t{0xffff}, std::uint16_t{0x7fff}}) {
        intent.p_key = key;
        facts.links[0].pkey = PKey::from(0xffff);
        EXPECT_THAT(codes(plan()), testing::Not(testing::Contains("profile-in-wrong-partition"_id)));
    }
}

TEST_F(Partition, ChildOfUnknownPKeyIsTheWrongPartition)
{
    facts.links[1].pkey.reset();
    wrong("0x0000");
}

TEST_F(Partition, InvalidPKeyIsTheWrongPartition)
{
    for (const auto key : {std::uint16_t{0x0000}, std::uint16_t{0x8000}}) {
        intent.p_key = key;
        wrong("0x8002");
    }
}

TEST_F(Partition, PKeyMissingInTheTableIsReportedWithoutACarrier)
{
    port.pkeys = pkey_table({test::pkey(0xffff)});
    EXPECT_THAT(codes(plan()), IsEmpty()) << "the carrier knows better";
    facts.links[1].carrier = false;
    const auto p = plan();
    ASSERT_THAT(codes(p), ElementsAre("pkey-not-in-table"_id));
    EXPECT_THAT(text(p.findings[0]), HasSubstr("P_Key 0x8002 is not in the P_Key table of mlx4_0 port 1"));
    port.pkeys = pkey_table({});
    EXPECT_THAT(codes(plan()), ElementsAre("pkey-not-in-table"_id));
    port.pkeys = {}; // unread is not absent
    EXPECT_THAT(codes(plan()), IsEmpty());
}

TEST_F(Partition, LimitedMembershipIsReportedWithoutAFullEntry)
{
    port.pkeys = pkey_table({test::pkey(0xffff), test::pkey(0x0002)});
    EXPECT_THAT(codes(plan()), ElementsAre("pkey-limited"_id));
    port.pkeys = pkey_table({test::pkey(0x0002), test::pkey(0x8002)});
    EXPECT_THAT(codes(plan()), IsEmpty());
}

TEST_F(Partition, MissingSubnetManagerIsReportedWithoutACarrier)
{
    port.sm_lid = 0U;
    port.number = 2;
    EXPECT_THAT(codes(plan()), IsEmpty()); // has a carrier
    for (auto &l : facts.links) l.carrier = false;
    const auto p = plan();
    ASSERT_THAT(codes(p), ElementsAre("no-subnet-manager"_id));
    EXPECT_THAT(text(p.findings[0]), HasSubstr("mlx4_0 port 2"));
}

TEST_F(Partition, ParentNameOver10CharactersIsReported)
{
    for (std::size_t n = 9; n <= IfName::max_length; n++) {
        facts.links[0].name = ifname(std::string("ibp129s0f0d1npx").substr(0, n));
        const auto p = plan();
        if (n <= 10) {
            EXPECT_THAT(codes(p), IsEmpty());
        } else {
            ASSERT_THAT(codes(p), ElementsAre("parent-name-long"_id));
            EXPECT_THAT(text(p.findings[0]), HasSubstr("name " + facts.links[0].name.str() + " has"));
        }
    }
}

TEST_F(Partition, ChildWithoutAPortIsPlanned)
{
    facts.links.erase(facts.links.begin());
    intent.mode = TransportMode::connected;
    const auto p = plan();
    EXPECT_THAT(changes(p), ElementsAre("ib0.8002 mode connected"));
    EXPECT_THAT(codes(p), IsEmpty());
}

TEST(Facts, FindLooksUpLinksByIfindex)
{
    Facts f;
    for (const int i : {9, 3, 7}) f.links.push_back(port_link(i, "ib" + std::to_string(i)));
    f.links.push_back(child_link(5, "ib3.8002", 3, 0x8002));
    f.sort();
    for (const int i : {3, 5, 7, 9}) {
        ASSERT_NE(f.find(i), nullptr);
        EXPECT_EQ(f.find(i)->ifindex, i);
    }
    for (const int i : {-1, 0, 4, 10}) EXPECT_EQ(f.find(i), nullptr);
    EXPECT_EQ(f.root(*f.find(5)), f.find(3));
    EXPECT_EQ(f.root(*f.find(7)), f.find(7));
    f.find(5)->parent = 99;
    EXPECT_EQ(f.root(*f.find(5)), nullptr);
}

} // namespace
} // namespace nmib
