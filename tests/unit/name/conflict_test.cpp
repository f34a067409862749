// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/conflict.hpp"
#include "name_make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using enum Conflict::Code;
using test::config;
using test::port_name;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct ConflictTest : testing::Test {
    NamingWorld world;
    PortName name = port_name("mlx_a");
    ConflictTest()
    {
        world.ports = {test::port("ib0", 1), test::port("ib1", 2)};
        world.interfaces = {{1, *IfName::parse("lo")}, {4, *IfName::parse("ib0")}, {5, *IfName::parse("ib1")}};
        world.configs = {config("99-default.link", "[Match]\nOriginalName=*\n[Link]\nNamePolicy=keep kernel path\n")};
    }
    std::vector<Conflict::Code> codes() const
    {
        std::vector<Conflict::Code> all;
        for (const auto &c : conflicts(world, world.ports[0], name)) all.push_back(c.code);
        return all;
    }
    void add(const char *file, const std::string &text)
    {
        world.configs.push_back(config(file, text));
        std::sort(world.configs.begin(), world.configs.end(), [](auto &a, auto &b) { return a.file < b.file; });
    }
};

TEST_F(ConflictTest, PlainMachineHasNoConflicts) { EXPECT_THAT(codes(), IsEmpty()); }

TEST_F(ConflictTest, NameOfAnotherInterfaceIsAConflict)
{
    world.interfaces[2].name = name.ifname();
    EXPECT_THAT(codes(), ElementsAre(interface_name));
    world.interfaces[2].name = *IfName::parse("ib1");
    world.interfaces[2].alternative = {"x", "mlx_a"};
    EXPECT_THAT(codes(), ElementsAre(alternative_name));
}

TEST_F(ConflictTest, NamesOfThePortItselfAreNoConflict)
{
    world.interfaces[1].name = name.ifname();
    world.interfaces[1].alternative = {"mlx_a"};
    world.ports[0].interface->name = name.ifname();
    EXPECT_THAT(codes(), IsEmpty());
}

TEST_F(ConflictTest, OwnFileForAnotherPortIsAConflict)
{
    add("70-nm-infiniband-mlx_a.link", text(LinkFile{name, ByGuid{world.ports[0].guid}}));
    EXPECT_THAT(codes(), IsEmpty());
    world.configs.clear();
    add("70-nm-infiniband-mlx_a.link", text(LinkFile{name, ByGuid{world.ports[1].guid}}));
    EXPECT_THAT(codes(), ElementsAre(own_file));
}

TEST_F(ConflictTest, ForeignLinkFileThatMatchesOrHasTheNameIsAConflict)
{
    add("10-x.link", "[Match]\nType=infiniband\n[Link]\nMTUBytes=2044\n");
    EXPECT_THAT(codes(), ElementsAre(file_wins));
    world.configs.clear();
    add("10-x.link", "[Match]\nType=infiniband\nHost=somewhere\n");
    EXPECT_THAT(codes(), ElementsAre(file_may_win));
    world.configs.clear();
    add("80-x.link", "[Match]\nType=infiniband\nHost=somewhere\n");
    EXPECT_THAT(codes(), IsEmpty());
    add("90-x.link", "[Match]\nMACAddress=" + world.ports[0].interface->address.str() + "\n[Link]\nName=other\n");
    EXPECT_THAT(codes(), ElementsAre(second_file));
    world.configs.clear();
    add("10-x.link", "[Match]\nMACAddress=00:11:22:33:44:55\n[Link]\nName=mlx_a\n");
    EXPECT_THAT(codes(), ElementsAre(other_file));
    world.configs.clear();
    add("10-x.link", "[Match]\nMACAddress=00:11:22:33:44:55\n[Link]\nAlternativeName=x mlx_a\n");
    EXPECT_THAT(codes(), ElementsAre(other_file));
    world.configs.clear();
    add("10-x.link", "[Match]\nMACAddress=00:11:22:33:44:55\n[Link]\nName=other\n");
    EXPECT_THAT(codes(), IsEmpty());
}

TEST_F(ConflictTest, MatchingRuleOrMaskedRulesFileIsAConflict)
{
    world.rules = {{"/etc/udev/rules.d/70-x.rules", 3, "ib%n", {Verdict::yes, Verdict::no}},
                   {"/etc/udev/rules.d/71-x.rules", 1, "x", {Verdict::perhaps, Verdict::yes}},
                   {"/etc/udev/rules.d/72-x.rules", 1, "x", {Verdict::no, Verdict::yes}},
                   {"/etc/udev/rules.d/73-x.rules", 1, "x", {}}};
    world.link_files_off = "/etc/udev/rules.d/80-net-setup-link.rules";
    EXPECT_THAT(codes(), ElementsAre(rule_wins, rule_may_win, link_files_off));
    EXPECT_EQ(conflicts(world, world.ports[0], name)[0].subject, "/etc/udev/rules.d/70-x.rules:3");
}

TEST_F(ConflictTest, EveryConflictIsOneLineWithSubjectAndRemedy)
{
    const std::pair<Conflict::Code, const char *> ways[] = {
        {interface_name, "Use another name for ib0"},
        {alternative_name, "Use another name for ib0"},
        {own_file, "nm-ib name unset mlx_a"},
        {other_file, "Use another name, or remove that file"},
        {second_file, "Remove that file"},
        {file_wins, "Remove that file"},
        {file_may_win, "conditions. After the next boot: nm-ib name check"},
        {rule_wins, "Remove that line"},
        {rule_may_win, "conditions. After the next boot: nm-ib name check"},
        {link_files_off, "remove /etc/x"}};
    for (const auto &[code, way] : ways) {
        const auto line = text({code, "/etc/x\n.link"}, world.ports[0], name);
        EXPECT_THAT(line, HasSubstr("/etc/x\\x0a.link"));
        EXPECT_EQ(line.find_first_of("\n{}"), line.npos) << line;
        EXPECT_THAT(line, HasSubstr(way));
        const bool names_port = code != other_file && code != link_files_off && code != own_file;
        EXPECT_EQ(line.find("ib0") != line.npos, names_port) << line;
        EXPECT_EQ((Conflict{code}.may_be_wrong()), code == file_may_win || code == rule_may_win);
        EXPECT_EQ((Conflict{code}.can_be_forced()), code != own_file);
    }
    world.ports[0].interface.reset();
    EXPECT_THAT(text({rule_wins, "x"}, world.ports[0], name), HasSubstr("mlx4_0/1"));
}

} // namespace
} // namespace nmib
