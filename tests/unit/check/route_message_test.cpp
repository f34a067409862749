// SPDX-License-Identifier: LGPL-2.1-or-later
// parse_route and parse_neighbour on complete, truncated and hostile messages.
#include "probe/check/route.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

namespace nmib
{
namespace
{

/// A message with a fixed part and attributes, with the kernel's alignment.
class Bytes
{
public:
    template<class T> Bytes(std::uint16_t type, const T &fixed) : bytes_(NLMSG_HDRLEN)
    {
        append(&fixed, sizeof(fixed));
        header().nlmsg_type = type;
    }
    Bytes &add(std::uint16_t type, const std::vector<unsigned char> &value)
    {
        const rtattr attribute{static_cast<std::uint16_t>(RTA_LENGTH(value.size())), type};
        append(&attribute, sizeof(attribute));
        append(value.data(), value.size());
        return *this;
    }
    Bytes &add(std::uint16_t type, std::uint32_t value) { return add(type, of(value)); }
    static std::vector<unsigned char> of(std::uint32_t value)
    {
        std::vector<unsigned char> raw(sizeof(value));
        std::memcpy(raw.data(), &value, sizeof(value));
        return raw;
    }
    nlmsghdr *whole() { return cut(bytes_.size()); }
    nlmsghdr *cut(std::size_t size)
    {
        header().nlmsg_len = static_cast<std::uint32_t>(size);
        return &header();
    }
    std::size_t size() const { return bytes_.size(); }

private:
    nlmsghdr &header() { return *reinterpret_cast<nlmsghdr *>(bytes_.data()); }
    void append(const void *from, std::size_t size)
    {
        const auto at = bytes_.size();
        bytes_.resize(at + NLMSG_ALIGN(size));
        if (size) std::memcpy(bytes_.data() + at, from, size);
    }
    std::vector<unsigned char> bytes_;
};

Bytes route(unsigned char type = RTN_UNICAST)
{
    rtmsg fixed{};
    fixed.rtm_family = AF_INET;
    fixed.rtm_type = type;
    return {RTM_NEWROUTE, fixed};
}

/// A nested attribute: RTAX_MTU.
std::vector<unsigned char> metrics(std::uint32_t mtu)
{
    const rtattr attribute{RTA_LENGTH(4), RTAX_MTU};
    std::vector<unsigned char> raw(sizeof(attribute));
    std::memcpy(raw.data(), &attribute, sizeof(attribute));
    for (const auto byte : Bytes::of(mtu)) raw.push_back(byte);
    return raw;
}

TEST(RouteMessage, RouteOnTheLinkHasNoGateway)
{
    const auto seen = parse_route(route().add(RTA_OIF, 4).whole());
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->ifindex, 4);
    EXPECT_FALSE(seen->local);
    EXPECT_TRUE(seen->single);
    EXPECT_FALSE(seen->gateway);
}

TEST(RouteMessage, RouteOverAGatewayHasItsAddress)
{
    const auto seen = parse_route(route().add(RTA_OIF, 4).add(RTA_GATEWAY, {192, 0, 2, 9}).whole());
    ASSERT_TRUE(seen);
    ASSERT_TRUE(seen->gateway);
    EXPECT_FALSE(seen->gateway->six);
    EXPECT_EQ(seen->gateway->bytes[3], 9);
}

TEST(RouteMessage, RouteOverAnIpv6GatewayHasItsAddress)
{
    std::vector<unsigned char> via(18);
    const std::uint16_t family = AF_INET6;
    std::memcpy(via.data(), &family, sizeof(family));
    via[2] = 0xfe;
    const auto seen = parse_route(route().add(RTA_OIF, 4).add(RTA_VIA, via).whole());
    ASSERT_TRUE(seen && seen->gateway);
    EXPECT_TRUE(seen->gateway->six);
    EXPECT_EQ(seen->gateway->bytes[0], 0xfe);
    EXPECT_EQ(seen->gateway->scope, 4);
    via.resize(17); // a byte is missing
    EXPECT_FALSE(parse_route(route().add(RTA_OIF, 4).add(RTA_VIA, via).whole())->gateway);
}

TEST(RouteMessage, RouteTypeTellsLocalAndMulticast)
{
    EXPECT_TRUE(parse_route(route(RTN_LOCAL).add(RTA_OIF, 1).whole())->local);
    for (const auto type : {RTN_MULTICAST, RTN_BROADCAST})
        EXPECT_FALSE(parse_route(route(static_cast<unsigned char>(type)).add(RTA_OIF, 4).whole())->single);
}

TEST(RouteMessage, InvalidMessageIsRefused)
{
    EXPECT_FALSE(parse_route(route().whole())); // no interface
    EXPECT_FALSE(parse_route(route().add(RTA_OIF, 0).whole()));
    EXPECT_FALSE(parse_route(route().add(RTA_OIF, 0xffffffff).whole()));
    EXPECT_FALSE(parse_route(route().add(RTA_OIF, std::vector<unsigned char>{4, 0}).whole()));
    EXPECT_FALSE(parse_route(Bytes(RTM_NEWNEIGH, rtmsg{}).add(RTA_OIF, 4).whole()));
    auto whole = route().add(RTA_GATEWAY, {192, 0, 2, 9}).add(RTA_METRICS, metrics(1500)).add(RTA_OIF, 4);
    for (std::size_t size = NLMSG_HDRLEN; size < whole.size(); size++)
        EXPECT_FALSE(parse_route(whole.cut(size))) << size;
}

TEST(NeighbourMessage, EveryKernelStateIsMapped)
{
    const auto parse = [](std::uint16_t state) {
        ndmsg fixed{};
        fixed.ndm_state = state;
        return parse_neighbour(Bytes(RTM_NEWNEIGH, fixed).whole());
    };
    EXPECT_EQ(parse(NUD_NONE), NeighbourState::none);
    EXPECT_EQ(parse(NUD_INCOMPLETE), NeighbourState::incomplete);
    EXPECT_EQ(parse(NUD_FAILED), NeighbourState::failed);
    for (const auto state : {NUD_REACHABLE, NUD_STALE, NUD_DELAY, NUD_PROBE, NUD_NOARP, NUD_PERMANENT})
        EXPECT_EQ(parse(static_cast<std::uint16_t>(state)), NeighbourState::known) << state;
    EXPECT_FALSE(parse_neighbour(Bytes(RTM_NEWLINK, ndmsg{}).whole()));
    EXPECT_FALSE(parse_neighbour(Bytes(RTM_NEWNEIGH, ndmsg{}).cut(NLMSG_HDRLEN + 4)));
}

} // namespace
} // namespace nmib
