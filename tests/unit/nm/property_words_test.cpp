// SPDX-License-Identifier: LGPL-2.1-or-later
// The words after connection add and modify: which of them are InfiniBand's, and which are nm-ib's own.
#include "nm/property_words.hpp"

#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

struct Parsed {
    Options options{};
    PropertyWords words;
    explicit Parsed(Words typed) : words(std::move(typed), options) {}
};

TEST(PropertyWords, EachSpellingOfAPropertyIsFound)
{
    const struct {
        Property property;
        std::vector<const char *> spellings, others;
    } cases[] = {
        {Property::type, {"type", "connection.type", "con.ty", "CONNECTION.TYPE"}, {"typ", "TYPE"}},
        {Property::id, {"con-name", "connection.id", "c.i"}, {"id"}},
        {Property::uuid, {"connection.uuid", "c.u"}, {"uuid"}},
        {Property::interface_name, {"ifname", "connection.interface-name", "c.int"}, {"interface-name"}},
        {Property::controller, {"master", "controller"}, {"connection.master"}},
        {Property::port_type, {"slave-type", "port-type", "connection.slave-type", "c.port-"}, {"slave"}},
        {Property::secondaries, {"connection.secondaries", "+connection.secondaries", "-c.sec"}, {"secondaries"}},
        {Property::mac_address, {"mac", "infiniband.mac-address", "inf.mac"}, {"mac-address"}},
        {Property::mtu, {"mtu", "infiniband.mtu", "i.mt", "Infiniband.MTU"}, {"ipv4.mtu", "infinibandx.mtu"}},
        {Property::p_key, {"p-key", "infiniband.p-key", "i.p-"}, {"pkey"}},
        {Property::parent, {"parent", "infiniband.parent", "i.pa"}, {"vlan.parent"}},
        {Property::save, {"save"}, {"+sav", "connection.save"}},
    };
    for (const auto &c : cases) {
        for (const auto *word : c.spellings) {
            Parsed p({word, "value"});
            ASSERT_TRUE(p.words.has(c.property)) << word;
            EXPECT_EQ(*p.words.find(c.property), "value") << word;
        }
        for (const auto *word : c.others) EXPECT_FALSE(Parsed({word, "value"}).words.has(c.property)) << word;
    }
    EXPECT_FALSE(Parsed({".", "value"}).words.has(Property::type)) << "an abbreviation has a letter";
    EXPECT_FALSE(Parsed({"connection.", "value"}).words.has(Property::type));
    EXPECT_FALSE(Parsed({".type", "value"}).words.has(Property::type));
}

TEST(PropertyWords, LastValueCounts)
{
    Parsed p({"mtu", "1", "infiniband.mtu", "2", "p-key", "", "parent", "ib0"});
    EXPECT_EQ(*p.words.find(Property::mtu), "2");
    EXPECT_TRUE(p.words.has(Property::p_key) && !p.words.sets(Property::p_key));
    EXPECT_TRUE(p.words.sets(Property::parent));
    EXPECT_FALSE(p.words.sets(Property::id));
    EXPECT_EQ(p.words.all().size(), 8U);
    EXPECT_FALSE(p.words.pending());
}

TEST(PropertyWords, OwnOptionsAndWordsAreTakenOut)
{
    Parsed p({"--strict", "mtu", "1", "rdma.skip", "yes", "--with-parent", "rdma.roce-mode", "v2", "--json", "rdma.x"});
    EXPECT_EQ(p.words.all(), (Words{"mtu", "1", "rdma.x"}));
    EXPECT_TRUE(p.options.strict && p.options.with_parent && p.options.rdma && p.options.json);
    const std::vector<std::pair<std::string, std::string>> rdma{{"rdma.skip", "yes"}, {"rdma.roce-mode", "v2"}};
    EXPECT_EQ(p.words.rdma(), rdma);
    EXPECT_FALSE(Parsed({"mtu", "1"}).options.has_own());
    EXPECT_EQ(Parsed({"con-name", "--strict"}).words.all(), (Words{"con-name", "--strict"})) << "a value";
}

TEST(PropertyWords, PropertyWithoutAValueIsPending)
{
    EXPECT_EQ(Parsed({"mtu", "1", "p-key"}).words.pending(), Property::p_key);
    EXPECT_FALSE(Parsed({"mtu", "1", "bogus"}).words.pending());
    EXPECT_FALSE(Parsed({"mtu", "1"}).words.pending());
    Parsed p({"--", "mtu", "1"});
    EXPECT_EQ(*p.words.find(Property::mtu), "1") << "-- is no pair";
    EXPECT_EQ(p.words.all(), (Words{"--", "mtu", "1"}));
}

TEST(PropertyWords, InfinibandIsRecognizedByAnAbbreviation)
{
    for (const auto *type : {"infiniband", "in", "INF", "InfiniBand"})
        EXPECT_TRUE(Parsed({"type", type}).words.is_infiniband()) << type;
    for (const auto *type : {"i", "", "infinibandx", "ip-tunnel", "ethernet"})
        EXPECT_FALSE(Parsed({"type", type}).words.is_infiniband()) << type;
    EXPECT_FALSE(Parsed({"con-name", "infiniband"}).words.is_infiniband());
}

TEST(PropertyWords, ValuesAreReplaced)
{
    Parsed p({"mac", "a", "mtu", "1", "infiniband.mac-address", "b"});
    p.words.rewrite(Property::mac_address, [](const std::string &value) {
        return value == "a" ? std::optional<std::string>("c") : std::nullopt;
    });
    EXPECT_EQ(p.words.all(), (Words{"mac", "c", "mtu", "1", "infiniband.mac-address", "b"}));
}

TEST(PropertyWords, ControllerIsNamedByUuidAndType)
{
    Parsed p({"mtu", "1", "master", "bond", "p-key", "2"});
    p.words.name_controller("uuid", "bond");
    EXPECT_EQ(p.words.all(),
              (Words{"mtu", "1", "connection.master", "uuid", "connection.slave-type", "bond", "p-key", "2"}));
    EXPECT_EQ(*p.words.find(Property::p_key), "2");
    EXPECT_EQ(*p.words.find(Property::mtu), "1");
    EXPECT_EQ(*p.words.find(Property::controller), "uuid");
    Parsed untyped({"master", "bond", "mtu", "1"});
    untyped.words.name_controller("bond0", "");
    EXPECT_EQ(untyped.words.all(), (Words{"connection.master", "bond0", "mtu", "1"}));
    Parsed none({"mtu", "1"});
    none.words.name_controller("uuid", "bond");
    EXPECT_EQ(none.words.all(), (Words{"mtu", "1"}));
}

} // namespace
} // namespace nmib::cli
