// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/verb/gateways.hpp"

#include "cli/base/gobject.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

/// A profile from the lines of its [ipv4] and [ipv6].
Object<NMConnection> profile(const std::string &ipv4, const std::string &ipv6 = "method=ignore\n")
{
    const auto text = "[connection]\nid=x\ntype=infiniband\n[infiniband]\n[ipv4]\n" + ipv4 + "[ipv6]\n" + ipv6;
    const std::unique_ptr<GKeyFile, Freer<g_key_file_unref>> file(g_key_file_new());
    EXPECT_TRUE(g_key_file_load_from_data(file.get(), text.c_str(), text.size(), G_KEY_FILE_NONE, nullptr));
    Object<NMConnection> c(nm_keyfile_read(file.get(), "/", NM_KEYFILE_HANDLER_FLAGS_NONE, nullptr, nullptr, nullptr));
    EXPECT_TRUE(c);
    return c;
}

Words of(const std::string &ipv4) { return unreachable_gateways(profile("method=manual\n" + ipv4).get()); }
Words of6(const std::string &ipv6)
{
    return unreachable_gateways(profile("method=disabled\n", "method=manual\n" + ipv6).get());
}

TEST(Gateways, AreReachedByAnAddress)
{
    EXPECT_THAT(of("address1=10.0.0.1/24,10.0.0.254\n"), IsEmpty());
    EXPECT_THAT(of("address1=10.0.0.1/24,10.0.1.254\n"), ElementsAre("10.0.1.254"));
    EXPECT_THAT(of("address1=10.0.0.1/23,10.0.1.254\n"), IsEmpty());
    EXPECT_THAT(of("address1=10.0.0.1/32,10.0.0.254\n"), ElementsAre("10.0.0.254"));
    EXPECT_THAT(of("address1=10.0.0.1/32,10.0.0.254\naddress2=10.0.0.129/25\n"), IsEmpty());
    EXPECT_THAT(of6("address1=2001:db8::1/61,2001:db8:0:7::1\n"), IsEmpty());
    EXPECT_THAT(of6("address1=2001:db8::1/61,2001:db8:0:8::1\n"), ElementsAre("2001:db8:0:8::1"));
    EXPECT_THAT(of6("address1=2001:db8::1/128,2001:db8::2\n"), ElementsAre("2001:db8::2"));
}

TEST(Gateways, AreReachedByARouteThatHasNone)
{
    EXPECT_THAT(of("address1=10.0.0.1/24\nroute1=10.9.0.0/16,10.7.0.1\n"), ElementsAre("10.7.0.1"));
    EXPECT_THAT(of("address1=10.0.0.1/24\nroute1=10.9.0.0/16,10.7.0.1\nroute2=10.7.0.0/30\n"), IsEmpty());
    EXPECT_THAT(of("address1=10.0.0.1/24\nroute1=10.9.0.0/16,10.7.0.1\nroute1_options=onlink=true\n"), IsEmpty());
    EXPECT_THAT(of("address1=10.0.0.1/24\nroute1=10.9.0.0/16,10.7.0.1\nroute1_options=onlink=false\n"),
                ElementsAre("10.7.0.1"));
}

TEST(Gateways, AreToldOnceAndInOrder)
{
    EXPECT_THAT(of("address1=10.0.0.1/24,10.2.0.1\nroute1=10.9.0.0/16,10.10.0.1\nroute2=10.8.0.0/16,10.2.0.1\n"),
                ElementsAre("10.10.0.1", "10.2.0.1"));
}

TEST(Gateways, OfTheLinkAreReached) { EXPECT_THAT(of6("address1=2001:db8::1/64,fe80::1\n"), IsEmpty()); }

TEST(Gateways, AreOnlyLookedAtWhereAddressesAreSetByHand)
{
    EXPECT_THAT(unreachable_gateways(profile("method=auto\naddress1=10.0.0.1/24,10.1.0.1\n").get()), IsEmpty());
    EXPECT_THAT(unreachable_gateways(profile("method=disabled\n").get()), IsEmpty());
}

} // namespace
} // namespace nmib::cli
