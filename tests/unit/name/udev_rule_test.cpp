// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/udev_rule.hpp"

#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using Operator = UdevRule::Operator;

/// Port 2 of a ConnectX with an interface `name`.
PortIdentity port(std::string_view name = "ib1")
{
    PortIdentity p{{.hca = "mlx4_0", .bus = "0000:05:00.0", .number = 2, .driver = "mlx4_core"}, {}};
    p.guid = Guid{0x0002c903000a0002};
    p.interface =
        PortInterface{.ifindex = 5,
                      .name = *IfName::parse(name),
                      .address = *HwAddr::parse("80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:02")};
    p.interface->properties = {{"ID_PATH", "pci-0000:05:00.0"}};
    return p;
}

UdevRule one(const std::string &line)
{
    auto rules = parse_udev_rules(line + "\n");
    EXPECT_EQ(rules.size(), 1u) << line;
    return rules.empty() ? UdevRule{} : rules.front();
}
Verdict rule_verdict(const std::string &line, const PortIdentity &p = port()) { return matches(one(line), p); }

TEST(UdevRule, ParsesTokensWithOperatorsAndQuotes)
{
    const auto rule = one(R"(  SUBSYSTEM=="net" ,ATTR{address} != "a \"b\" \n", NAME := e"x\t",TAG+="t", GOTO="end")");
    ASSERT_EQ(rule.tokens.size(), 5u);
    EXPECT_EQ(rule.tokens[0].key, "SUBSYSTEM");
    EXPECT_EQ(rule.tokens[0].op, Operator::match);
    EXPECT_EQ(rule.tokens[1].attribute, "address");
    EXPECT_EQ(rule.tokens[1].op, Operator::no_match);
    EXPECT_EQ(rule.tokens[1].value, "a \"b\" \\n");
    EXPECT_EQ(rule.tokens[2].op, Operator::assign);
    EXPECT_FALSE(rule.tokens[2].is_plain);
    EXPECT_EQ(rule.tokens[3].op, Operator::assign);
    ASSERT_TRUE(rule.name());
    EXPECT_EQ(*rule.name(), "x\\t");
    EXPECT_EQ(one(R"(NAME=="x", SYMLINK="y")").name(), nullptr);
    ASSERT_TRUE(rule.matched("SUBSYSTEM"));
    EXPECT_EQ(*rule.matched("SUBSYSTEM"), "net");
    EXPECT_EQ(rule.matched("ATTR", "address"), nullptr) << "it is not ==";
}

TEST(UdevRule, ParsesCommentsAndContinuedLinesLikeUdev)
{
    const auto rules = parse_udev_rules("# NAME=\"a\"\n\n"
                                        "KERNEL==\"ib0\", \\\n"
                                        "  # between, \\\n"
                                        "  NAME=\"b\"\n"
                                        "\tNAME=\"c\"\n"
                                        "NAME=\"d\", \\ \n" // a space after the backslash: an error
                                        "NAME=\"e\"\\");
    ASSERT_EQ(rules.size(), 2u);
    EXPECT_EQ(*rules[0].name(), "b");
    EXPECT_EQ(rules[0].first_line, 3u);
    EXPECT_EQ(rules[0].last_line, 5u);
    EXPECT_EQ(*rules[1].name(), "c");
    EXPECT_EQ(rules[1].first_line, 6u);
    EXPECT_EQ(rules[1].last_line, 6u);
}

TEST(UdevRule, LinesThatAreNoRulesAreSkipped)
{
    for (const char *line : {R"(NAME="x)", R"(NAME=x)", R"(NAME 'x')", R"(NAME)", R"(="x")", R"(ATTR{=="1", NAME="x")",
                             R"(NAME="a" # a comment)"})
        EXPECT_TRUE(parse_udev_rules(line).empty()) << line;
    for (const char *line : {R"(NAME="%k")", R"(NAME="")", R"(NAME=="x")"})
        EXPECT_EQ(one(line).name(), nullptr) << line;
    EXPECT_EQ(parse_udev_rules("NAME=\"x\"KERNEL==\"y\"").size(), 1u) << "commas are not asked for";
}

TEST(UdevRule, VerdictFollowsFromTheKnownPropertiesOfAPort)
{
    const auto yes = {R"(SUBSYSTEM=="net", ACTION=="add", DRIVERS=="?*", ATTR{type}=="32", NAME="x")",
                      R"(ATTR{address}=="?*00:02:c9:03:00:0a:00:02", NAME="x")",
                      R"(ATTR{address}=="80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:02", NAME="x")",
                      R"(ACTION=="change|add", SUBSYSTEM!="block", NAME="x")",
                      R"(KERNEL=="eth*|ib[0-9]", ATTR{dev_port}=="1", ATTR{dev_id}=="0x1", NAME="x")",
                      R"(KERNELS=="0000:05:00.0", DRIVERS=="mlx4_core", NAME="x")",
                      R"(ATTRS{address}=="*:02", NAME="x")",
                      R"(ENV{ID_PATH}=="pci-*", ENV{INTERFACE}=="ib1", NAME="x")",
                      R"(SUBSYSTEMS=="pci", ENV{X}="1", GOTO="end", NAME="x")"};
    for (const auto *line : yes) EXPECT_EQ(rule_verdict(line), Verdict::yes) << line;
    const auto no = {R"(SUBSYSTEM=="block", NAME="x")", R"(ACTION=="remove", GOTO="end")",
                     R"(ATTR{address}=="?*00:02:c9:03:00:0a:00:01", NAME="x")",
                     R"(ATTR{address}=="?*00:02:C9:03:00:0A:00:02", NAME="x")",
                     R"(ATTR{address}=="80:00:02:08|x", NAME="x")", R"(ATTR{type}=="1", NAME="x")",
                     R"(KERNEL=="ib1", ATTR{dev_port}=="0", TEST=="y", NAME="x")", R"(KERNEL=="eth*", NAME="x")",
                     R"(KERNEL!="ib*", NAME="x")", R"(ATTRS{address}=="*:01", KERNELS=="0000:05:00.0", NAME="x")",
                     R"(ENV{ID_PATH}!="pci-*", NAME="x")",
                     // Debian's 73-special-net-names.rules
                     R"(ACTION=="add", SUBSYSTEMS=="usb", ATTRS{idVendor}=="413c", NAME="idrac")",
                     R"(NAME=="", DRIVERS=="ibmveth", PROGRAM="/bin/true", NAME="ibmveth$result")"};
    for (const auto *line : no) EXPECT_EQ(rule_verdict(line), Verdict::no) << line;
    const auto perhaps = {R"(NAME=="", NAME="x")",
                          R"(PROGRAM="/bin/true", NAME="x")",
                          R"(IMPORT{program}="/bin/true", NAME="x")",
                          R"(ATTR{mtu}=="2044", NAME="x")",
                          R"(ATTRS{vendor}=="0x15b3", NAME="x")",
                          R"(KERNELS=="0000:00:1c.0", NAME="x")",
                          R"(ENV{MY_OWN}=="1", NAME="x")",
                          R"(ATTR{type}==i"32", NAME="x")"};
    for (const auto *line : perhaps) EXPECT_EQ(rule_verdict(line), Verdict::perhaps) << line;
}

TEST(UdevRule, KernelNameOfARenamedInterfaceIsUnknown)
{
    const auto renamed = port("mlx4_ib1");
    EXPECT_EQ(rule_verdict(R"(KERNEL=="ib1", NAME="x")", renamed), Verdict::perhaps);
    EXPECT_EQ(rule_verdict(R"(KERNEL=="mlx4_ib1", NAME="x")", renamed), Verdict::perhaps);
    EXPECT_EQ(rule_verdict(R"(KERNEL=="ib*|mlx4_ib1", NAME="x")", renamed), Verdict::yes);
    EXPECT_EQ(rule_verdict(R"(KERNEL=="eth*", NAME="x")", renamed), Verdict::no);
}

TEST(UdevRule, PortWithoutAnInterfaceHasAnUnknownAddress)
{
    auto p = port();
    p.interface.reset();
    EXPECT_EQ(rule_verdict(R"(ATTR{address}=="?*00:02:c9:03:00:0a:00:02", NAME="x")", p), Verdict::perhaps);
    EXPECT_EQ(rule_verdict(R"(ENV{ID_PATH}=="x", NAME="x")", p), Verdict::perhaps);
    EXPECT_EQ(rule_verdict(R"(KERNEL=="ib*", ATTR{dev_port}=="1", NAME="x")", p), Verdict::yes);
    EXPECT_EQ(rule_verdict(R"(ATTR{type}=="1", ATTR{address}=="x", NAME="x")", p), Verdict::no);
}

} // namespace
} // namespace nmib
