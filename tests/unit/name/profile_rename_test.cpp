// SPDX-License-Identifier: LGPL-2.1-or-later
// Profiles follow an interface to its new name.
#include "core/ib/ifname.hpp"
#include "nm/profile.hpp"
#include "verbs/name/profile_rename.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

const IfName ib0 = *IfName::parse("ib0");
const IfName stable = *IfName::parse("mlx4_ib0");
const IfName ten = *IfName::parse("mlx4_ib0ab");
const IfName eleven = *IfName::parse("mlx4_ib0abc");

constexpr const char *head = "[connection]\nid=x\nuuid=6a5e9e9c-3a1d-4b8c-9d2b-1f0e8d7c6b5a\n";

Object<NMConnection> profile(const std::string &text)
{
    auto parsed = parse_keyfile(head + text);
    EXPECT_TRUE(parsed) << text;
    return parsed ? std::move(*parsed) : Object<NMConnection>(nm_simple_connection_new());
}

/// The result of follow_name for a profile; also checks that exactly this was done.
std::vector<Edit> follow(const std::string &text, const IfName &to = stable, const IfName &from = ib0)
{
    const auto c = profile(text);
    const auto before = copy_of(c.get());
    auto edits = follow_name(c.get(), from, to);
    EXPECT_TRUE(normalized(c.get())) << text;
    EXPECT_EQ(edits.empty(), nm_connection_compare(before.get(), c.get(), NM_SETTING_COMPARE_FLAG_EXACT));
    EXPECT_THAT(follow_name(c.get(), from, to), IsEmpty());
    if (to.size() <= parent_name_limit) { // nothing was cut off, so the rename back restores the profile
        EXPECT_EQ(follow_name(c.get(), to, from).size(), edits.size());
        EXPECT_TRUE(nm_connection_compare(before.get(), c.get(), NM_SETTING_COMPARE_FLAG_EXACT)) << text;
    }
    return edits;
}

std::string infiniband(const std::string &interface, const std::string &more = "")
{
    return "type=infiniband\n" + (interface.empty() ? "" : "interface-name=" + interface + "\n") +
           "[infiniband]\ntransport-mode=datagram\n" + more;
}

TEST(NameEdits, InterfaceNameFollowsThePort)
{
    EXPECT_THAT(follow(infiniband("ib0")), ElementsAre(Edit{"connection.interface-name", "ib0", "mlx4_ib0"}));
    EXPECT_THAT(follow("type=ethernet\ninterface-name=ib0\n"),
                ElementsAre(Edit{"connection.interface-name", "ib0", "mlx4_ib0"}));
    for (const char *other : {"ib1", "ib00", "ib", "ib0.80022", "ib0.800", "ib0.800g", "ib0x8002", "ib0.+802", "xib0"})
        EXPECT_THAT(follow(infiniband(other)), IsEmpty()) << other;
    EXPECT_THAT(follow(infiniband("")), IsEmpty());
    EXPECT_THAT(follow(infiniband("ib0"), ib0), IsEmpty());
}

TEST(NameEdits, ChildNameAndParentFollowTogether)
{
    const auto child = infiniband("ib0.8002", "p-key=32770\nparent=ib0\n");
    EXPECT_THAT(follow(child), ElementsAre(Edit{"connection.interface-name", "ib0.8002", "mlx4_ib0.8002"},
                                           Edit{"infiniband.parent", "ib0", "mlx4_ib0"}));
    EXPECT_THAT(follow(infiniband("", "p-key=32770\nparent=ib0\n")),
                ElementsAre(Edit{"infiniband.parent", "ib0", "mlx4_ib0"}));
    EXPECT_THAT(follow(infiniband("ib1.8002", "p-key=32770\nparent=ib1\n")), IsEmpty());
    // made by hand; the profile only configures it
    EXPECT_THAT(follow(infiniband("ib0.8002")),
                ElementsAre(Edit{"connection.interface-name", "ib0.8002", "mlx4_ib0.8002"}));
}

TEST(NameEdits, LongParentNameRemovesTheChildName)
{
    const auto child = infiniband("ib0.0002", "p-key=2\nparent=ib0\n");
    EXPECT_THAT(follow(child, ten), ElementsAre(Edit{"connection.interface-name", "ib0.0002", "mlx4_ib0ab.0002"},
                                                Edit{"infiniband.parent", "ib0", "mlx4_ib0ab"}));
    EXPECT_THAT(follow(child, eleven), ElementsAre(Edit{"connection.interface-name", "ib0.0002", ""},
                                                   Edit{"infiniband.parent", "ib0", "mlx4_ib0abc"}));
    EXPECT_THAT(follow(infiniband("ib0"), eleven),
                ElementsAre(Edit{"connection.interface-name", "ib0", "mlx4_ib0abc"}));
}

TEST(NameEdits, ParentFollowsInEveryType)
{
    EXPECT_THAT(follow("type=pppoe\ninterface-name=ppp7\n[pppoe]\nparent=ib0\nusername=joe\npassword=sesame\n"),
                ElementsAre(Edit{"pppoe.parent", "ib0", "mlx4_ib0"}));
    EXPECT_THAT(follow("type=vxlan\ninterface-name=v\n[vxlan]\nid=7\nparent=ib0.8002\nremote=192.0.2.1\n"),
                ElementsAre(Edit{"vxlan.parent", "ib0.8002", "mlx4_ib0.8002"}));
    EXPECT_THAT(follow("type=ip-tunnel\ninterface-name=t\n[ip-tunnel]\nmode=2\nparent=ib0\nremote=192.0.2.1\n"),
                ElementsAre(Edit{"ip-tunnel.parent", "ib0", "mlx4_ib0"}));
    EXPECT_THAT(follow("type=vlan\ninterface-name=v\n[vlan]\nid=7\nparent=ib0\n"),
                ElementsAre(Edit{"vlan.parent", "ib0", "mlx4_ib0"}));
    EXPECT_THAT(follow("type=macvlan\ninterface-name=v\n[macvlan]\nmode=2\nparent=ib0\n"),
                ElementsAre(Edit{"macvlan.parent", "ib0", "mlx4_ib0"}));
    EXPECT_THAT(follow("type=vlan\ninterface-name=v\n[vlan]\nid=7\nparent=6a5e9e9c-3a1d-4b8c-9d2b-1f0e8d7c6b5b\n"),
                IsEmpty());
}

TEST(NameEdits, BondPrimaryAndActiveSlaveFollow)
{
    EXPECT_THAT(follow("type=bond\ninterface-name=bond0\n[bond]\nmode=active-backup\nprimary=ib0\nactive_slave=ib0\n"),
                ElementsAre(Edit{"bond.options", "primary=ib0", "primary=mlx4_ib0"},
                            Edit{"bond.options", "active_slave=ib0", "active_slave=mlx4_ib0"}));
    EXPECT_THAT(follow("type=bond\ninterface-name=bond0\n[bond]\nmode=active-backup\nprimary=ib1\n"), IsEmpty());
}

TEST(NameEdits, MatchInterfaceNameFollows)
{
    EXPECT_THAT(follow(infiniband("") + "[match]\ninterface-name=eth*;ib0;|ib0.8002;!ib0;ib0*;\n"),
                ElementsAre(Edit{"match.interface-name", "eth*,ib0,|ib0.8002,!ib0,ib0*",
                                 "eth*,mlx4_ib0,|mlx4_ib0.8002,!mlx4_ib0,ib0*"}));
    EXPECT_THAT(follow(infiniband("") + "[match]\ninterface-name=ib?;ib1;!ib;\n"), IsEmpty());
}

TEST(NameEdits, UndoLineRestoresTheOldValues)
{
    EXPECT_EQ(line_to_undo("u-1", {{"connection.interface-name", "ib0.8002", ""}, {"infiniband.parent", "ib0", "m"}}),
              "nmcli connection modify u-1 connection.interface-name ib0.8002 infiniband.parent ib0");
    EXPECT_EQ(line_to_undo("u-1", {{"bond.options", "primary=ib0", "primary=m"}}),
              "nmcli connection modify u-1 +bond.options primary=ib0");
    EXPECT_EQ(line_to_undo("u-1", {{"match.interface-name", "!ib0,a*", "!m,a*"}}),
              "nmcli connection modify u-1 match.interface-name '!ib0,a*'");
    EXPECT_EQ(line_to_undo("u-1", {{"match.interface-name", "!ib0", "!m"}}),
              "nmcli connection modify u-1 match.interface-name '!ib0'");
    EXPECT_EQ(line_to_undo("u-1", {{"connection.interface-name", "a'b$c", "m"}}),
              R"(nmcli connection modify u-1 connection.interface-name 'a'\''b$c')");
}

TEST(NameEdits, ProfileMayBeForAPortByNameAndGuid)
{
    const Guid port{0x0002c903000a0001};
    const auto may = [&](const std::string &text) { return may_be_for_port(profile(text).get(), port); };
    EXPECT_TRUE(may(infiniband("mlx4_ib0")));
    const auto mac = [](const char *guid) {
        return std::string("mac-address=80:00:00:48:fe:80:00:00:00:00:00:00:") + guid + "\n";
    };
    EXPECT_TRUE(may(infiniband("mlx4_ib0", mac("00:02:c9:03:00:0a:00:01"))));
    EXPECT_FALSE(may(infiniband("mlx4_ib0", mac("00:02:c9:03:00:0a:00:02"))));
    EXPECT_FALSE(may(infiniband("ib1.8002", "p-key=32770\nparent=ib1\n")));
    EXPECT_FALSE(may("type=ethernet\ninterface-name=mlx4_ib0\n"));
}

} // namespace
} // namespace nmib::cli
