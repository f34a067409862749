// SPDX-License-Identifier: LGPL-2.1-or-later
// Profiles as written by NetworkManager and other programs.
#include "make.hpp"
#include "probe/plan/profile.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Result<Profile> parse(const std::string &text)
{
    const auto file = Keyfile::parse(text, "p.nmconnection");
    return file.and_then([](auto &f) { return parse_profile(f, "p.nmconnection"); });
}
Result<Profile> infiniband(const std::string &lines)
{
    return parse("[connection]\nid=x\ntype=infiniband\n[infiniband]\ntransport-mode=datagram\n" + lines);
}

TEST(Profile, ProfileOfNmcliIsRead)
{
    const auto p = parse("[connection]\nid=mlx4_ib0\nuuid=5a3e\ntype=infiniband\ninterface-name=mlx4_ib0\n\n"
                         "[infiniband]\nmtu=65520\ntransport-mode=connected\n\n[ipv4]\nmethod=auto\n\n"
                         "[ipv6]\naddr-gen-mode=default\nmethod=auto\n\n[proxy]\n");
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_TRUE(p->infiniband);
    EXPECT_EQ(p->id, "mlx4_ib0");
    EXPECT_EQ(p->uuid, "5a3e");
    EXPECT_EQ(p->intent.profile, "mlx4_ib0");
    EXPECT_EQ(p->intent.mode, TransportMode::connected);
    EXPECT_EQ(p->intent.mtu, 65520U);
    EXPECT_FALSE(p->intent.p_key || p->intent.parent || p->intent.anywhere);
    EXPECT_EQ(p->intent.ifindex, 0);
}

TEST(Profile, ChildOfTheAnsibleRoleIsRead)
{
    const auto p = parse("[connection]\nid=ib0-10\nuuid=1\ntype=infiniband\n[infiniband]\np-key=10\nparent=ib0\n"
                         "transport-mode=datagram\n[ipv4]\naddress1=198.51.100.133/30\nmethod=manual\n");
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_EQ(p->intent.p_key, 10);
    EXPECT_EQ(p->intent.parent->view(), "ib0");
    EXPECT_EQ(p->intent.mtu, 0U); // absent means auto
    EXPECT_TRUE(p->intent.anywhere);
}

TEST(Profile, GeneratedProfileIsRecognized)
{
    const std::string text = "[connection]\nid=ib0\nuuid=1\ntype=infiniband\n[infiniband]\ntransport-mode=connected\n";
    EXPECT_FALSE(parse(text)->generated);
    EXPECT_TRUE(parse(text + "[.nmmeta]\nnm-generated=true\nvolatile=true\nexternal=true\n")->generated);
}

TEST(Profile, BondPortWithoutIpSectionsIsRead)
{
    const auto p = parse("[connection]\nid=port\nuuid=1\ntype=infiniband\ninterface-name=ib0\n"
                         "master=20b8-4f\nslave-type=bond\n[infiniband]\ntransport-mode=connected\n");
    ASSERT_TRUE(p);
    EXPECT_EQ(p->intent.mode, TransportMode::connected);
    EXPECT_EQ(p->intent.mtu, 0U);
}

TEST(Profile, ProfileWithOnlyAMacAddressIsRead)
{
    const auto p = parse("[connection]\nid=e\nuuid=1\ntype=infiniband\n[infiniband]\n"
                         "mac-address=80:00:02:08:FE:80:00:00:00:00:00:00:F4:52:14:03:00:7B:E1:B1\nmtu=4092\n"
                         "transport-mode=datagram\n");
    ASSERT_TRUE(p);
    EXPECT_EQ(p->intent.mtu, 4092U);
    EXPECT_FALSE(p->intent.parent);
}

TEST(Profile, PKeyIsReadInEverySpelling)
{
    EXPECT_EQ(infiniband("p-key=32770\n")->intent.p_key, 0x8002);
    EXPECT_EQ(infiniband("p-key=0x8002\n")->intent.p_key, 0x8002);
    EXPECT_EQ(infiniband("p-key=2\n")->intent.p_key, 2);
    EXPECT_EQ(infiniband("p-key=65535\n")->intent.p_key, 0xffff);
    EXPECT_FALSE(infiniband("p-key=-1\n")->intent.p_key);
    EXPECT_FALSE(infiniband("")->intent.p_key);
    for (const char *bad : {"p-key=0\n", "p-key=32768\n", "p-key=65536\n", "p-key=-2\n", "p-key=\n", "p-key=x\n",
                            "p-key=0x\n", "p-key=8002h\n", "p-key=\xff\n"}) {
        const auto p = infiniband(bad);
        ASSERT_FALSE(p) << bad;
        EXPECT_THAT(p.error().what, AllOf(HasSubstr("p.nmconnection"), HasSubstr("infiniband.p-key=")));
    }
}

TEST(Profile, InvalidMtuOrParentIsRefused)
{
    EXPECT_EQ(infiniband("mtu=0\n")->intent.mtu, 0U);
    EXPECT_EQ(infiniband("mtu=70000\n")->intent.mtu, 65520U); // as in NetworkManager
    EXPECT_EQ(infiniband("mtu=4294967295\n")->intent.mtu, 65520U);
    for (const char *bad : {"mtu=4294967296\n", "mtu=-1\n", "mtu=auto\n", "mtu=\n", "mtu=0x7fc\n", "mtu=\xff\n",
                            "parent=0123456789abcdef\n", "parent=a/b\n", "parent=..\n", "parent=\xff\xfe\n"})
        EXPECT_FALSE(infiniband(bad)) << bad;
    EXPECT_FALSE(infiniband("parent=\n")->intent.parent);
    for (const char *bad : {"", "transport-mode=\n", "transport-mode=Connected\n", "transport-mode=foo\n"}) {
        const auto p = parse("[connection]\ntype=infiniband\n[infiniband]\n" + std::string(bad));
        ASSERT_FALSE(p) << bad;
        EXPECT_THAT(p.error().what, HasSubstr("infiniband.transport-mode="));
    }
    EXPECT_FALSE(parse("[connection]\ntype=infiniband\n"));
}

TEST(Profile, ProfileWithPermissionsIsPrivate)
{
    const auto is_private = [](const std::string &permissions) {
        return parse("[connection]\nid=e\ntype=ethernet\n" + permissions)->is_private;
    };
    for (const char *everybody : {"", "permissions=\n", "permissions=;\n", "permissions= ;;\n"})
        EXPECT_FALSE(is_private(everybody)) << everybody;
    for (const char *some : {"permissions=user:alice:;\n", "permissions=user:alice\n", "permissions=;group:a:;\n",
                             "permissions=\xff\n", "permissions=\npermissions=user:alice:\n", "permissions=\\x\n"})
        EXPECT_TRUE(is_private(some)) << some;
}

TEST(Profile, FeatureTsoMeansFourKernelFeatures)
{
    const auto p = infiniband("[ethtool]\nfeature-tso=true\nfeature-gro=false\nring-rx=3\n");
    ASSERT_TRUE(p);
    std::vector<std::string> asked;
    for (const auto &f : p->intent.features) asked.push_back(std::string(f.name.view()) + (f.on ? "+" : "-"));
    EXPECT_THAT(asked, testing::UnorderedElementsAre("tx-tcp-segmentation+", "tx-tcp-ecn-segmentation+",
                                                     "tx-tcp-mangleid-segmentation+", "tx-tcp6-segmentation+", "gro-"));
    for (const char *nothing : {"[ethtool]\nfeature-tso=perhaps\n", "[ethtool]\nfeature-TSO=true\n",
                                "[ethtool]\nfeature-=true\n", "[ethtool]\ntso=true\n", "[ethtool]\nfeature-tso=\xff\n"})
        EXPECT_THAT(infiniband(nothing)->intent.features, IsEmpty()) << nothing;
}

TEST(Profile, OtherTypesHaveNoInfinibandIntent)
{
    const auto p = parse("[connection]\nid=e\ntype=ethernet\n[infiniband]\np-key=x\n[ethtool]\nfeature-tso=on\n");
    ASSERT_TRUE(p);
    EXPECT_FALSE(p->infiniband);
    EXPECT_FALSE(p->intent.mode || p->intent.mtu || p->intent.p_key);
    EXPECT_THAT(p->intent.features, SizeIs(4));
    EXPECT_FALSE(parse("")->infiniband);
}

TEST(Profile, FeaturesAreReadFromTheEthtoolSection)
{
    const test::Tree tree;
    const auto read = [&](const std::string &text) {
        tree.file("p", text, 0600);
        const auto p = read_profile(tree.path("p"));
        return p ? Result<std::vector<Intent::Asked>>(p->intent.features) : p.error();
    };
    const std::string infiniband = "[connection]\nid=f\ntype=infiniband\n[infiniband]\ntransport-mode=connected\n";
    EXPECT_THAT(*read(infiniband), IsEmpty());
    for (const char *header : {"[ethtool]\n", "  [ethtool]  \n", "[ethtool]\nx=1\n[ipv4]\n[ethtool]\n"}) {
        const auto asked = read(infiniband + header + "feature-rx-gro-hw=true\n");
        ASSERT_TRUE(asked) << header;
        ASSERT_THAT(*asked, SizeIs(1)) << header;
        EXPECT_EQ(asked->front().name.view(), "rx-gro-hw");
        EXPECT_TRUE(asked->front().on);
    }
    EXPECT_THAT(*read(infiniband + "[ethtool]\nfeature-tso=off\n"), SizeIs(4));
    EXPECT_FALSE(read("no keyfile [ethtool]\n"));
    EXPECT_FALSE(read_profile(tree.path("missing")));
    EXPECT_FALSE(read_profile("relative/p"));
}

TEST(Profile, UnsafeOrInvalidKeyfileIsRefused)
{
    const test::Tree tree;
    const std::string text = "[connection]\nid=f\ntype=infiniband\n[infiniband]\ntransport-mode=connected\n";
    tree.file("p", text, 0600);
    const auto p = read_profile(tree.path("p"));
    ASSERT_TRUE(p) << p.error().what;
    EXPECT_EQ(p->id, "f");
    const test::Tree elsewhere;
    elsewhere.file("p", text, 0600);
    tree.link("linked", elsewhere.path("p")); // as in NetworkManager
    EXPECT_TRUE(read_profile(tree.path("linked")));
    elsewhere.file("open", text, 0660);
    tree.link("open", elsewhere.path("open"));
    EXPECT_EQ(read_profile(tree.path("open")).error().kind, Error::Kind::denied);
    tree.fifo("fifo");
    tree.file("nul", text + std::string(1, '\0'), 0600);
    tree.sparse("huge", off_t{4} << 30);
    tree.file("text", "no keyfile", 0600);
    for (const char *bad : {"fifo", "nul", "huge", "text", "missing", "", "missing/p"})
        EXPECT_FALSE(read_profile(tree.path(bad))) << bad;
    for (const char *bad : {"", "p", "./p", "/", "relative/p"}) EXPECT_FALSE(read_profile(bad)) << bad;
}

TEST(Keyfile, BooleanAcceptsTheSpellingsOfKeyfiles)
{
    for (const char *yes : {"true", "yes", "1", "on", "TRUE", " On\n"}) EXPECT_EQ(Keyfile::boolean(yes), true) << yes;
    for (const char *no : {"false", "no", "0", "off", "OFF"}) EXPECT_EQ(Keyfile::boolean(no), false) << no;
    for (const char *none : {"", "2", "y", "enabled", "tru", "0x1"}) EXPECT_FALSE(Keyfile::boolean(none)) << none;
}

TEST(Keyfile, ListSplitsAtSemicolons)
{
    using testing::ElementsAre;
    EXPECT_THAT(Keyfile::list("a; b ;c"), ElementsAre("a", "b", "c"));
    EXPECT_THAT(Keyfile::list("a;"), ElementsAre("a"));
    EXPECT_THAT(Keyfile::list("a;;b"), ElementsAre("a", "", "b"));
    EXPECT_THAT(Keyfile::list(""), IsEmpty());
    EXPECT_THAT(Keyfile::list(";"), ElementsAre(""));
}

} // namespace
} // namespace nmib
