// SPDX-License-Identifier: LGPL-2.1-or-later
// Rails: the file, the shared subnets, and the route and rule in a profile.
#include "verbs/host/rails_profile.hpp"

#include "core/base/text.hpp"
#include "nm/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char *uuid = "6a5e9e9c-3a1d-4b8c-9d2b-1f0e8d7c6b5a";
constexpr RailAddress first{0x0a000001, 24}, second{0x0a000002, 24}, other{0x0a000101, 24};

Object<NMConnection> profile(const std::string &ipv4)
{
    auto parsed = parse_keyfile(std::string("[connection]\nid=x\ntype=infiniband\ninterface-name=ib0\nuuid=") + uuid +
                                "\n[infiniband]\ntransport-mode=datagram\n[ipv4]\n" + ipv4);
    EXPECT_TRUE(parsed) << ipv4;
    return parsed ? std::move(*parsed) : Object<NMConnection>(nm_simple_connection_new());
}

TEST(RailName, OnlyNamesThatASysctlFileTakesLiterally)
{
    for (const auto *good : {"ib0", "ib0.8001", "mlx5_ib0", "a-b"}) EXPECT_TRUE(parse_rail_name(good)) << good;
    for (const auto *bad :
         {"", "all", "default", "ib*", "ib?", "ib[0]", "a=b", "#a", "a b", "a\n", "a/b", "..", "ü", "ib0ib0ib0ib0ib01"})
        EXPECT_FALSE(parse_rail_name(bad)) << bad;
}

TEST(RailsFile, KeepsTheDotInANameAndReadsBack)
{
    const Rail rails[] = {{*IfName::parse("ib0"), uuid}, {*IfName::parse("ib0.8001"), uuid}};
    const auto file = rails_file(rails);
    EXPECT_EQ(file.path(), "/etc/sysctl.d/90-nm-ib-rails.conf");
    EXPECT_EQ(host_command(file.text), "rails ib0 ib0.8001");
    EXPECT_TRUE(checksum_holds(file.text));
    EXPECT_THAT(file.text, testing::HasSubstr("\nnet/ipv4/conf/ib0.8001/arp_ignore = 1\n"));
    EXPECT_THAT(file.text, testing::HasSubstr("\nnet/ipv4/conf/ib0.8001/arp_announce = 2\n"));
    EXPECT_THAT(file.text, testing::HasSubstr("\nnet/ipv4/conf/ib0/rp_filter = 2\n"));
    const auto read = rails_in(file.text);
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[1].interface.view(), "ib0.8001");
    EXPECT_EQ(read[1].uuid, uuid);
    EXPECT_EQ(rails_file({}).text, "");
}

TEST(RailsFile, TwoRailsWithOneNameHaveTheValuesOnce)
{
    const Rail rails[] = {{*IfName::parse("ib0"), uuid}, {*IfName::parse("ib0"), "a"}, {*IfName::parse("ib1"), "b"}};
    const auto text = rails_file(rails).text;
    EXPECT_EQ(host_command(text), "rails ib0 ib1");
    EXPECT_EQ(text.find("conf/ib0/arp_ignore"), text.rfind("conf/ib0/arp_ignore"));
    EXPECT_THAT(text, testing::HasSubstr("\nnet/ipv4/conf/ib1/arp_ignore = 1\n"));
    ASSERT_EQ(rails_in(text).size(), 3U);
    EXPECT_EQ(rails_in(text)[1].uuid, "a");
}

TEST(RailsFile, ImpossibleLinesAreIgnored)
{
    for (const auto *line :
         {"", "# rail ib0", "# rail all a", "# rail ib0 /etc", "rail ib0 a", "# rail ib0 a b", "# rail ib0 X"})
        EXPECT_THAT(rails_in(line), IsEmpty()) << line;
    EXPECT_EQ(rails_in("# rail ib0 a\n").size(), 1U);
}

TEST(RailTable, FirstFreeNumber)
{
    std::set<std::uint32_t> used{18754, 18756};
    EXPECT_EQ(take_rail_table(used), 18755U);
    EXPECT_EQ(take_rail_table(used), 18757U);
    for (std::uint32_t n = 18754; n < 19778; n++) used.insert(n);
    EXPECT_EQ(take_rail_table(used), std::nullopt);
}

TEST(RailAddress, OnlySubnetsOfSeveralInterfacesAreKept)
{
    EXPECT_EQ((RailAddress{0xc0000281, 25}.network()), "192.0.2.128/25");
    EXPECT_EQ((RailAddress{0xc0000281, 0}.network()), "0.0.0.0/0");
    EXPECT_EQ((RailAddress{0xc0000281, 32}.network()), "192.0.2.129/32");
    std::vector<RailAddress> all[] = {{first, other}, {second}, {{0x0a000003, 25}}, {other, other}};
    keep_shared(all);
    EXPECT_THAT(all[0], ElementsAre(first, other));
    EXPECT_THAT(all[1], ElementsAre(second));
    EXPECT_THAT(all[2], IsEmpty()); // another length
    std::vector<RailAddress> twice[] = {{first, second}, {other}};
    keep_shared(twice);
    EXPECT_THAT(twice[0], IsEmpty()); // two addresses of one interface
}

TEST(RailProfile, OnlyAddressesOfTheProfileCount)
{
    const auto manual = rail_addresses(profile("method=manual\naddress1=10.0.0.1/24\naddress2=10.0.1.1/24\n").get());
    ASSERT_TRUE(manual);
    EXPECT_THAT(*manual, ElementsAre(first, other));
    for (const auto *method : {"method=auto\naddress1=10.0.0.1/24\n", "method=disabled\n", "method=link-local\n"})
        EXPECT_FALSE(rail_addresses(profile(method).get())) << method;
}

TEST(RailProfile, SetAndTakenAwayLeavesTheProfileAsBefore)
{
    const auto before = profile("method=manual\naddress1=10.0.0.1/24\nroute1=10.9.0.0/16\nroute1_options=table=7\n"
                                "route2=10.8.0.0/16,10.0.0.9\nroute2_options=table=18754\n"
                                "route3=10.8.0.0/24\nroute3_options=table=18754\n"
                                "route4=0.0.0.0/0\nroute4_options=table=18754\n"
                                "route5=10.0.0.0/24\nroute5_options=table=18754,mtu=2044\n"
                                "routing-rule1=priority 7 from 10.9.0.1 table 7\n"
                                "routing-rule2=priority 8 from 10.9.0.2 table 18754\n");
    EXPECT_EQ(rail_table(before.get()), 0U);
    const auto after = copy_of(before.get());
    const RailAddress both[] = {first, second};
    set_rail(after.get(), 18754, both);
    EXPECT_TRUE(normalized(after.get()));
    EXPECT_THAT(rail_words(before.get(), after.get()),
                ElementsAre("+ipv4.routes", "10.0.0.0/24 table=18754", "+ipv4.routing-rules",
                            "priority 18754 from 10.0.0.1 table 18754", "+ipv4.routing-rules",
                            "priority 18754 from 10.0.0.2 table 18754"));
    const auto again = copy_of(after.get());
    set_rail(again.get(), 18754, both);
    EXPECT_THAT(rail_words(after.get(), again.get()), IsEmpty());
    set_rail(again.get(), 19777, both);
    EXPECT_EQ(rail_table(again.get()), 19777U);
    EXPECT_THAT(rail_words(after.get(), again.get()), testing::SizeIs(12)); // the old table's and the new one's
    std::set<std::uint32_t> numbers;
    add_routing_numbers(after.get(), numbers);
    EXPECT_THAT(numbers, ElementsAre(0, 7, 8, 18754));
    // The prefix of the address has changed.
    const RailAddress narrow{first.address, 25};
    set_rail(again.get(), 19777, {&narrow, 1});
    set_rail(again.get(), 18754, both);
    EXPECT_THAT(rail_words(after.get(), again.get()), IsEmpty());
    set_rail(after.get(), 0, {});
    EXPECT_TRUE(nm_connection_compare(before.get(), after.get(), NM_SETTING_COMPARE_FLAG_EXACT));
}

} // namespace
} // namespace nmib::cli
