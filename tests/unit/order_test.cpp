// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/order.hpp"

#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

struct Read {
    std::string words;
    bool ours;
    Options options;
};

Read read(const std::string &typed)
{
    Read r{};
    auto [args, ours] = in_order(Args(cut(typed, " ")), r.options);
    Words words;
    while (!args.empty()) words.push_back(args.take());
    r.words = join(words, " ");
    r.ours = ours;
    return r;
}

TEST(Order, IsAsTypedWhereNothingDecidesAboutTheRest)
{
    EXPECT_EQ(read("mtu 1500 ifname ib0 +ipv4.dns 10.0.0.1").words, "mtu 1500 ifname ib0 +ipv4.dns 10.0.0.1");
    EXPECT_EQ(read("").words, "");
}

TEST(Order, HasPortTypeThenTypeThenControllerInFront)
{
    EXPECT_EQ(read("mtu 1500 master b0 type infiniband slave-type bond ifname ib0").words,
              "slave-type bond type infiniband master b0 mtu 1500 ifname ib0");
    EXPECT_EQ(read("+connection.controller b0 -connection.port-type bond connection.type x").words,
              "-connection.port-type bond connection.type x +connection.controller b0");
}

TEST(Order, TakesAValueForAValue)
{
    EXPECT_EQ(read("con-name master ifname type").words, "con-name master ifname type");
    EXPECT_EQ(read("master type").words, "master type");
}

TEST(Order, EndsWithTheWordThatHasNoValue)
{
    EXPECT_EQ(read("mtu 1500 master b0 slave-type").words, "slave-type");
    EXPECT_EQ(read("slave-type bond mtu 1500 master").words, "slave-type bond master");
    EXPECT_EQ(read("master b0 mtu").words, "master b0 mtu");
}

TEST(Order, KnowsOurType)
{
    EXPECT_TRUE(read("mtu 1500 type infi").ours);
    EXPECT_TRUE(read("connection.type InfiniBand").ours);
    EXPECT_FALSE(read("type i").ours);
    EXPECT_FALSE(read("type ethernet con-name infiniband").ours);
    EXPECT_FALSE(read("con-name type ifname infiniband").ours);
}

TEST(Order, LeavesOptionsOfOursOut)
{
    const auto r = read("--strict mtu 1500 --with-parent con-name --strict");
    EXPECT_EQ(r.words, "mtu 1500 con-name --strict");
    EXPECT_TRUE(r.options.strict);
    EXPECT_TRUE(r.options.with_parent);
}

} // namespace
} // namespace nmib::cli
