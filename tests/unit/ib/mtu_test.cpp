// SPDX-License-Identifier: LGPL-2.1-or-later
// MTU steps and child names, compared with the kernel's own formulas.
#include "core/ib/ifname.hpp"
#include "core/ib/mtu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace nmib
{
namespace
{

using testing::ElementsAre;

TEST(Mtu, DatagramStepsAreTheInfiniBandMtusLessTheEncapsulation)
{
    const auto r = mtu::rungs(TransportMode::datagram);
    EXPECT_THAT(std::vector<Mtu>(r.begin(), r.end()),
                ElementsAre(10240 - 4, 8192 - 4, 4096 - 4, 2048 - 4, 1024 - 4, 512 - 4, 256 - 4));
}

TEST(Mtu, ConnectedStepsArePagesOfTheReceiveQueue)
{
    const auto r = mtu::rungs(TransportMode::connected);
    ASSERT_EQ(r.size(), 16U);
    for (std::size_t sge = 1; sge <= 16; sge++) EXPECT_EQ(r[16 - sge], sge * 4096 - 0x10);
}

TEST(Mtu, NextBelowReachesEveryLimit)
{
    for (const auto mode : {TransportMode::datagram, TransportMode::connected}) {
        const auto rungs = mtu::rungs(mode);
        EXPECT_EQ(rungs.front(), mtu::maximum(mode));
        EXPECT_TRUE(std::is_sorted(rungs.rbegin(), rungs.rend()));
        EXPECT_GT(rungs.back(), mtu::minimum);
        for (const auto limit : rungs) {
            std::optional<Mtu> value = UINT32_MAX;
            while (value && *value > limit) {
                const auto below = mtu::next_below(mode, *value);
                if (below) {
                    ASSERT_LT(*below, *value);
                }
                value = below;
            }
            EXPECT_EQ(value, limit);
        }
        EXPECT_FALSE(mtu::next_below(mode, rungs.back()));
        EXPECT_FALSE(mtu::next_below(mode, 0));
        EXPECT_EQ(mtu::next_below(mode, rungs[1] + 1), rungs[1]);
    }
}

/// The C library's printf replaces the kernel's and NetworkManager's.
std::string printed(const char *format, const std::string &parent, unsigned key)
{
    char text[64];
    std::snprintf(text, sizeof(text), format, parent.c_str(), key);
    return text;
}

TEST(Naming, ChildNamesMatchUpToTenCharactersOfTheParent)
{
    for (std::size_t n = 1; n <= IfName::max_length; n++) {
        const auto parent = std::string("ibp129s0f0d1npx").substr(0, n);
        for (const unsigned key : {0x8002U, 0x2U, 0xffffU, 0x0a1bU}) {
            const auto k = static_cast<std::uint16_t>(key);
            const auto kernel = kernel_child_name(*IfName::parse(parent), k);
            const auto nm = nm_child_name(*IfName::parse(parent), k);
            ASSERT_TRUE(kernel && nm) << parent;
            EXPECT_EQ(kernel->str(), printed("%.10s.%04x", parent, key));
            EXPECT_EQ(nm->str(), printed("%s.%04x", parent, key).substr(0, 15));
            EXPECT_EQ(*kernel == *nm, n <= parent_name_limit) << parent;
        }
    }
}

TEST(Naming, ChildNamesOfLongParentsAreCut)
{
    EXPECT_EQ(kernel_child_name(*IfName::parse("ibp129s0f0d1"), 0x8002)->view(), "ibp129s0f0.8002");
    EXPECT_EQ(nm_child_name(*IfName::parse("ibp129s0f0d1"), 0x8002)->view(), "ibp129s0f0d1.80");
    EXPECT_EQ(nm_child_name(*IfName::parse("123456789012345"), 0x8002)->view(), "123456789012345");
}

TEST(Naming, OnlyTheChildOfTheFailedActivationIsMisnamed)
{
    const auto is = [](const char *child, const char *parent, unsigned key, const char *wanted) {
        return is_misnamed(*IfName::parse(child), *IfName::parse(parent), *PKey::from(key), wanted);
    };
    EXPECT_TRUE(is("mlx4_ib0_1.8002", "mlx4_ib0_11", 0x8002, "mlx4_ib0_11.8002")); // NetworkManager 1.42
    EXPECT_TRUE(is("mlx4_ib0_1.8002", "mlx4_ib0_11", 0x8002, "mlx4_ib0_11.800"));  // 1.44 and later
    EXPECT_TRUE(is("mlx4_ib0_1.0002", "mlx4_ib0_11", 0x8002, "mlx4_ib0_11.0002")) << "key without bit 15";
    EXPECT_TRUE(is("mlx4_ib0_1.8002", "mlx4_ib0_13xx", 0x8002, "mlx4_ib0_13xx.8"));
    EXPECT_FALSE(is("mlx4_ib0_1.8003", "mlx4_ib0_11", 0x8003, "mlx4_ib0_11.8002")) << "another key";
    EXPECT_FALSE(is("mlx4_ib0_1.9002", "mlx4_ib0_13xx", 0x9002, "mlx4_ib0_13xx.8")) << "another key, cut";
    EXPECT_FALSE(is("mlx4_ib0_1.8002", "mlx4_ib0_12", 0x8002, "mlx4_ib0_11.8002")) << "another parent";
    EXPECT_FALSE(is("storage", "mlx4_ib0_11", 0x8002, "mlx4_ib0_11.8002")) << "renamed: somebody has it";
    EXPECT_FALSE(is("mlx4_ib0_1.0002", "mlx4_ib0_11", 0x8002, "mlx4_ib0_11.8002"))
        << "made with another key as written";
    EXPECT_FALSE(is("ib0.8002", "ib0", 0x8002, "ib0.8002")) << "nothing wrong with its name";
}

} // namespace
} // namespace nmib
