// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/import.hpp"
#include "core/name/link_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using Loss = FragileName::Loss;

constexpr Guid port_guid{0x0002c903000a0002};
constexpr const char *address = "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:02";
constexpr const char *tail = "00:02:c9:03:00:0a:00:02";

std::optional<FragileName> in_link_file(const std::string &text)
{
    LinkConfig c{.file = "10-ib.link", .path = "/etc/systemd/network/10-ib.link", .text = text};
    c.entries = parse_link_config(text).value();
    return fragile_name(c);
}
std::optional<FragileName> in_rule(const std::string &text)
{
    const auto all = fragile_rules(text);
    return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

TEST(Fragile, LinkFileWithAPortAddressIsFound)
{
    for (const auto &match : {std::string("MACAddress=") + address, std::string("PermanentMACAddress=") + address,
                              std::string("MACAddress=80-00-02-08-FE-80-00-00-00-00-00-00-00-02-C9-03-00-0A-00-02"),
                              std::string("MACAddress=") + tail}) {
        const auto found =
            in_link_file("[Match]\n" + match + "\nType=infiniband\n[Link]\nNamePolicy=\nName=mlx4_ib1\n");
        ASSERT_TRUE(found) << match;
        EXPECT_EQ(found->guid, port_guid) << match;
        EXPECT_EQ(found->name, "mlx4_ib1");
        EXPECT_EQ(found->last_line, 0U);
        EXPECT_EQ(found->loss, Loss::none);
    }
    EXPECT_FALSE(in_link_file("[Match]\nMACAddress=00:11:22:33:44:55\n[Link]\nName=x\n"));
    EXPECT_FALSE(in_link_file("[Match]\nMACAddress=2001:db8::1\n[Link]\nName=x\n"));
    EXPECT_FALSE(in_link_file("[Match]\nOriginalName=ib*\n[Link]\nName=x\n"));
}

TEST(Fragile, SettingsThatAnImportWouldLoseAreNamed)
{
    const auto head = std::string("[Match]\nMACAddress=") + address + "\n";
    EXPECT_EQ(text(*in_link_file(head + "[Link]\nName=x\n")), "");
    EXPECT_EQ(text(*in_link_file(head + "[Link]\nName=x\nMTUBytes=4092\n")),
              "the entry also has MTUBytes=, which would be lost");
    EXPECT_EQ(text(*in_link_file(head + "Host=a\n[Link]\nName=x\n")), "the entry also depends on Host=");
    EXPECT_EQ(
        in_link_file("[Match]\nMACAddress=00:02:c9:03:00:0a:00:01 " + std::string(tail) + "\n[Link]\nName=x\n")->loss,
        Loss::many_addresses);
    EXPECT_EQ(in_link_file(head + "PermanentMACAddress=" + address + "\n[Link]\nName=x\n")->loss, Loss::none);
    const auto rule = std::string("ATTR{address}==\"") + address + "\", ";
    EXPECT_EQ(text(*in_rule(rule + "NAME=\"x\", RUN+=\"/bin/y\"")), "the entry also has RUN=, which would be "
                                                                    "lost");
    EXPECT_EQ(text(*in_rule(rule + "ENV{A}==\"1\", NAME=\"x\"")), "the entry also depends on ENV{A}");
}

TEST(Fragile, RuleWithAPortAddressIsFound)
{
    for (const auto &pattern :
         {std::string("?*") + tail, std::string("*") + tail, std::string("*:") + tail, std::string(address)}) {
        const auto found =
            in_rule("# one\nACTION==\"add\", SUBSYSTEM==\"net\", DRIVERS==\"?*\", ATTR{type}==\"32\", \\\n"
                    "  ATTR{address}==\"" +
                    pattern + "\", NAME=\"mlx4_ib3\"\n");
        ASSERT_TRUE(found) << pattern;
        EXPECT_EQ(found->guid, port_guid) << pattern;
        EXPECT_EQ(found->name, "mlx4_ib3");
        EXPECT_EQ(found->first_line, 2U);
        EXPECT_EQ(found->last_line, 3U);
        EXPECT_EQ(found->loss, Loss::none);
    }
    for (const auto &line :
         {std::string("ATTR{address}==\"") + tail + "\", NAME=\"x\"", // never the whole address of a port
          std::string("ATTR{address}!=\"") + address + "\", NAME=\"x\"",
          std::string("ATTR{address}==\"") + address + "\", NAME==\"x\"",
          std::string("SUBSYSTEM==\"block\", ATTR{address}==\"") + address + "\", NAME=\"x\"",
          std::string("KERNEL==\"eth*\", ATTR{address}==\"") + address + "\", NAME=\"x\"",
          std::string("ATTR{address}==\"?*:") + "0a:00:02\", NAME=\"x\"",
          std::string("ATTR{address}==\"00:11:22:33:44:55\", NAME=\"x\"")})
        EXPECT_FALSE(in_rule(line)) << line;
}

TEST(Fragile, ReplacedRuleBecomesACommentAndOtherLinesStay)
{
    const auto good = std::string("ATTR{address}==\"*:") + tail + "\", ";
    const auto file =
        "# head\n" + good + "\\\n# between\n NAME=\"a\"\nKERNEL==\"sda\", MODE=\"0600\"\n" + good + "NAME=\"b\"";
    const auto all = fragile_rules(file);
    ASSERT_EQ(all.size(), 2U);
    const auto first = without(file, std::span(all).first(1));
    const std::string comment = "# replaced by nm-ib name import: ";
    EXPECT_EQ(first, "# head\n" + comment + good + "\\\n" + comment + "# between\n" + comment +
                         " NAME=\"a\"\nKERNEL==\"sda\", MODE=\"0600\"\n" + good + "NAME=\"b\"");
    EXPECT_EQ(fragile_rules(first).size(), 1U);
    EXPECT_EQ(fragile_rules(first)[0].name, "b");
    EXPECT_TRUE(fragile_rules(without(file, all)).empty());
    EXPECT_EQ(without(file, {}), file);
}

} // namespace
} // namespace nmib
