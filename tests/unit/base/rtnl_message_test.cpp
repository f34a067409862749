// SPDX-License-Identifier: LGPL-2.1-or-later
// parse_link on complete, truncated and hostile messages.
#include "link_message.hpp"
#include "random_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace nmib
{
namespace
{

using test::LinkMessage;
using test::parse;

TEST(LinkMessage, ChildInConnectedModeIsParsed)
{
    const auto row = parse(LinkMessage{}.bytes());
    ASSERT_TRUE(row);
    EXPECT_EQ(row->ifindex, 5);
    EXPECT_EQ(row->name->view(), "ib0.8002");
    EXPECT_TRUE(row->infiniband);
    EXPECT_EQ(row->parent, 4);
    EXPECT_TRUE(row->address.rc_capable());
    EXPECT_EQ(row->mtu, 2044U);
    EXPECT_TRUE(row->up);
    EXPECT_TRUE(row->carrier);
    EXPECT_EQ(row->pkey->value(), 0x8002);
    EXPECT_EQ(row->mode, TransportMode::connected);
}

TEST(LinkMessage, PortInterfaceIsParsed)
{
    LinkMessage m;
    m.name = "ib0";
    m.ifindex = 4;
    m.link = 4; // iflink is the interface itself
    m.flags = 0;
    m.pkey = 0xffff;
    m.mode = 0;
    const auto row = parse(m.bytes());
    ASSERT_TRUE(row);
    EXPECT_EQ(row->parent, 0);
    EXPECT_FALSE(row->up);
    EXPECT_EQ(row->pkey->value(), 0xffff);
    EXPECT_EQ(row->mode, TransportMode::datagram);
}

TEST(LinkMessage, OtherKindsAreNoIpoib)
{
    LinkMessage m;
    for (const char *kind : {"bond", "team", "vlan", "tun", "ipoib2"}) {
        m.kind = kind;
        const auto row = parse(m.bytes());
        EXPECT_FALSE(row->infiniband || row->pkey || row->mode) << kind;
    }
    m.kind = ""; // a port before Linux 5.9.2
    EXPECT_TRUE(parse(m.bytes())->infiniband);
    EXPECT_FALSE(parse(m.bytes())->mode);
    m.type = ARPHRD_ETHER;
    EXPECT_FALSE(parse(m.bytes())->infiniband);
    m.type = ARPHRD_INFINIBAND;
    for (const std::size_t n : {0U, 6U, 19U, 21U, 32U}) {
        m.address.resize(n);
        EXPECT_FALSE(parse(m.bytes())->infiniband) << n;
    }
}

TEST(LinkMessage, ParentInAnotherNamespaceIsNoParent)
{
    LinkMessage m;
    m.foreign = true;
    EXPECT_EQ(parse(m.bytes())->parent, 0);
    m.foreign = false;
    m.link = -7;
    EXPECT_EQ(parse(m.bytes())->parent, 0);
}

TEST(LinkMessage, InvalidValuesAreUnknown)
{
    LinkMessage m;
    m.pkey = 0x8000;
    EXPECT_FALSE(parse(m.bytes())->pkey);
    m.mode = 77;
    EXPECT_EQ(parse(m.bytes())->mode, TransportMode::datagram);
    for (const char *name : {"", "a/b", "0123456789abcdef", "..", "a b"}) {
        m.name = name;
        EXPECT_FALSE(parse(m.bytes())->name) << name;
    }
    for (const int ifindex : {0, -1}) {
        m.ifindex = ifindex;
        EXPECT_FALSE(parse(m.bytes())) << ifindex;
    }
}

TEST(LinkMessage, OtherMessageTypesAreRefused)
{
    auto bytes = LinkMessage{}.bytes();
    auto *h = reinterpret_cast<nlmsghdr *>(bytes.data());
    for (const auto type : std::vector<int>{RTM_DELLINK, RTM_NEWADDR, NLMSG_ERROR, NLMSG_DONE, 0}) {
        h->nlmsg_type = static_cast<std::uint16_t>(type);
        EXPECT_FALSE(parse(bytes)) << type;
    }
}

/// Each truncated message has its own allocation, so that the address sanitizer detects a read past its end.
TEST(LinkMessage, TruncatedMessageIsReadWithinItsLength)
{
    const auto whole = LinkMessage{}.bytes();
    const auto length = reinterpret_cast<const nlmsghdr *>(whole.data())->nlmsg_len;
    for (std::uint32_t n = sizeof(nlmsghdr); n < length; n++) {
        std::vector<std::uint32_t> cut(whole.begin(), whole.begin() + (n + 3) / 4);
        reinterpret_cast<nlmsghdr *>(cut.data())->nlmsg_len = n;
        const auto row = parse(cut);
        if (n < sizeof(nlmsghdr) + sizeof(ifinfomsg)) {
            EXPECT_FALSE(row) << n;
        }
        if (row) {
            EXPECT_EQ(row->ifindex, 5) << n;
        }
    }
}

/// Random lengths, types and contents: all reads stay within the message.
TEST(LinkMessage, RandomBytesAreReadWithinTheMessage)
{
    const auto whole = LinkMessage{}.bytes();
    test::Random r(42);
    for (int round = 0; round < 50000; round++) {
        auto bytes = whole;
        auto *raw = reinterpret_cast<std::uint8_t *>(bytes.data());
        const auto length = reinterpret_cast<const nlmsghdr *>(whole.data())->nlmsg_len;
        for (auto n = 1 + r.below(6); n > 0; n--) {
            const auto at = sizeof(nlmsghdr) + r.below(length - static_cast<unsigned>(sizeof(nlmsghdr)));
            raw[at] = r.chance(30) ? 0xff : r.chance(30) ? 0 : static_cast<std::uint8_t>(r.below(256));
        }
        const auto row = parse(bytes);
        if (!row) continue;
        ASSERT_GT(row->ifindex, 0);
        ASSERT_GE(row->parent, 0);
        if (row->pkey) {
            ASSERT_NE(row->pkey->partition(), 0);
        }
    }
}

auto values(const std::optional<LinkRow> &row)
{
    const LinkRow r = row.value_or(LinkRow{});
    return std::tuple(row.has_value(), r.ifindex, r.name, r.infiniband, r.parent, r.address, r.mtu, r.up, r.carrier,
                      r.pkey ? r.pkey->value() : 0, r.mode);
}

/// Each attribute in turn has every possible length. Attributes behind the message make no difference.
TEST(LinkMessage, AnyAttributeLengthIsReadWithinTheMessage)
{
    const auto whole = LinkMessage{}.bytes();
    const auto length = reinterpret_cast<const nlmsghdr *>(whole.data())->nlmsg_len;
    for (std::size_t at = sizeof(nlmsghdr) + sizeof(ifinfomsg); at + 2 <= length; at += 4)
        for (unsigned claim = 0; claim <= 0x200; claim++) {
            auto bytes = whole;
            const auto value = static_cast<std::uint16_t>(claim == 0x200 ? 0xffff : claim);
            std::memcpy(reinterpret_cast<std::uint8_t *>(bytes.data()) + at, &value, sizeof(value));
            const auto alone = values(parse(bytes));
            for (unsigned i = 0; i < 64; i++) { // an MTU, again and again
                bytes.push_back((NLA_HDRLEN + 4) | (IFLA_MTU << 16));
                bytes.push_back(9000 + i);
            }
            ASSERT_EQ(values(parse(bytes)), alone) << "byte " << at << " is " << value;
        }
}

/// A value that is shorter than its type is not read, even if the bytes behind it would complete it.
TEST(LinkMessage, AttributeShorterThanItsValueReadsAsAbsent)
{
    const auto shortened = [](int type, int claim) {
        auto bytes = LinkMessage{}.bytes();
        auto *a = ::nlmsg_find_attr(reinterpret_cast<nlmsghdr *>(bytes.data()), sizeof(ifinfomsg), type);
        a->nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + claim);
        return parse(bytes).value();
    };
    for (int claim = 0; claim < 4; claim++) {
        EXPECT_EQ(shortened(IFLA_MTU, claim).mtu, 0U) << claim;
        EXPECT_EQ(shortened(IFLA_LINK, claim).parent, 0) << claim;
    }
    EXPECT_FALSE(shortened(IFLA_CARRIER, 0).carrier);
    for (const int claim : {0, 6, 17, 18, 19}) EXPECT_FALSE(shortened(IFLA_ADDRESS, claim).infiniband) << claim;
}

} // namespace
} // namespace nmib
