// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/naming_world.hpp"
#include "name_make.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using test::config;
using test::port_name;

const PortMatch guid_match = ByGuid{test::guid(test::first_guid)};
const PortMatch path_match = ByPath{test::id_path("pci-0000:05:00.0"), 2};

TEST(NamingWorld, MatchOfIsTheInverseOfText)
{
    for (const auto &match : {guid_match, path_match, PortMatch(ByGuid{}), PortMatch(ByGuid{{UINT64_MAX}}),
                              PortMatch(ByPath{test::id_path(std::string(128, 'z')), 254})})
        EXPECT_EQ(match_of(config({port_name("a"), match})), match) << text(match);
}

TEST(NamingWorld, OtherMatchSectionGivesNoPortMatch)
{
    const auto good = config({port_name("a"), guid_match});
    for (const char *bad : {"", "[Match]\nType=infiniband\n", "[Match]\nProperty=ID_IPOIB_ADDRESS=*:00:02\n",
                            "[Match]\nProperty=ID_IPOIB_ADDRESS=00:02:c9:03:00:0a:00:01\n",
                            "[Match]\nProperty=!ID_IPOIB_ADDRESS=*:00:02:c9:03:00:0a:00:01\n",
                            "[Link]\nProperty=ID_IPOIB_ADDRESS=*:00:02:c9:03:00:0a:00:01\n",
                            "[Match]\nProperty=ID_PATH=pci-0000:05:00.0\n", "[Match]\nProperty=ID_IPOIB_DEV_PORT=1\n",
                            "[Match]\nProperty=ID_PATH=pci-* ID_IPOIB_DEV_PORT=1\n",
                            "[Match]\nProperty=ID_PATH=pci-0000:05:00.0 ID_IPOIB_DEV_PORT=254\n",
                            "[Match]\nProperty=ID_PATH=pci-0000:05:00.0 ID_IPOIB_DEV_PORT=-1\n",
                            "[Match]\nProperty=ID_IPOIB_ADDRESSX=*:00:02:c9:03:00:0a:00:01\n",
                            "[Match]\nMACAddress=00:02:c9:03:00:0a:00:01\n"})
        EXPECT_FALSE(match_of(config(good.file, good.text.substr(0, good.text.find("\n\n") + 1) + bad))) << bad;
}

TEST(NamingWorld, PortAndOwnFileFindEachOther)
{
    NamingWorld world;
    world.ports = {test::port("ib0", 1), test::port("ib1", 2)};
    world.configs = {config("10-other.link", "[Match]\nType=infiniband\n[Link]\nName=a\n"),
                     config({port_name("one"), guid_match}), config({port_name("three"), ByGuid{{3}}}),
                     config({port_name("two"), path_match})};
    EXPECT_EQ(world.own_file(world.ports[0]), &world.configs[1]);
    EXPECT_EQ(world.own_file(world.ports[1]), &world.configs[3]);
    EXPECT_EQ(world.port_of(world.configs[0]), nullptr);
    EXPECT_EQ(world.port_of(world.configs[1]), &world.ports[0]);
    EXPECT_EQ(world.port_of(world.configs[2]), nullptr);
    EXPECT_EQ(world.port_of(world.configs[3]), &world.ports[1]);
}

/// Our .link file matches this port, and no other.
TEST(NamingWorld, WrittenFileMatchesOnlyItsPort)
{
    const auto one = test::port("ib0", 1), two = test::port("ib1", 2);
    for (const auto &[match, first] : {std::pair(guid_match, true), std::pair(path_match, false)}) {
        const auto c = config({port_name("a"), match});
        EXPECT_EQ(matches(c, one), first ? Verdict::yes : Verdict::no) << text(match);
        EXPECT_EQ(matches(c, two), first ? Verdict::no : Verdict::yes) << text(match);
    }
}

} // namespace
} // namespace nmib
