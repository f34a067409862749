// SPDX-License-Identifier: LGPL-2.1-or-later
// Examples in the manual pages and the shipped files are parsed as documented.
#include "core/message/catalogue.hpp"
#include "core/name/naming_world.hpp"
#include "probe/base/keyfile.hpp"
#include "probe/plan/policy.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sstream>

namespace nmib
{

namespace
{
std::string read(const std::string &name)
{
    const char *source = std::getenv("NMIB_SOURCE"); // by hand: the current directory
    std::ifstream file(std::string(source ? source : ".") + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The listing between two lines of "----" under a heading.
std::string listing(const std::string &page, const std::string &heading)
{
    const auto text = read("docs/man/" + page);
    const auto begin = text.find("\n----\n", text.find("\n== " + heading + "\n")) + 6;
    return text.substr(begin, text.find("\n----\n", begin) + 1 - begin);
}

TEST(Example, ExampleOfTheConfigurationIsValid)
{
    Policy policy;
    std::vector<Error> mistakes;
    parse_conf(listing("nm-ib.conf.5.adoc", "Example"), "example", policy, mistakes);
    ASSERT_TRUE(mistakes.empty()) << mistakes[0].what;
    EXPECT_EQ(policy.connected_impossible, Policy::Impossible::fail);
}

TEST(Example, ExampleOfAQuirkIsValid)
{
    std::vector<Error> mistakes;
    const auto quirks = parse_quirks(listing("nm-ib-quirks.5.adoc", "Example"), "example", mistakes);
    ASSERT_TRUE(mistakes.empty()) << mistakes[0].what;
    ASSERT_EQ(quirks.size(), 1u);
    EXPECT_EQ(quirks.front().match.devices, std::vector<std::uint16_t>{0x1003});
    EXPECT_TRUE(quirks.front().no_connected);
    EXPECT_EQ(quirks.front().features.size(), 1u);
}

TEST(Example, ExampleOfALinkFileIsWhatNmIbWrites)
{
    const LinkFile file{*PortName::parse("mlx4_ib0"), ByGuid{*Guid::parse("00:02:c9:03:00:0a:00:01")}};
    EXPECT_EQ(listing("nm-ib-name.1.adoc", "The file"), text(file));
}

TEST(Example, EveryStateOfANameIsExplained)
{
    const auto page = read("docs/man/nm-ib-name.1.adoc");
    int codes = 0;
    for (; !id(static_cast<NameState::Code>(codes)).empty(); codes++)
        EXPECT_NE(page.find("\n*" + std::string(id(static_cast<NameState::Code>(codes))) + "*:: "), page.npos)
            << id(static_cast<NameState::Code>(codes));
    EXPECT_GE(codes, 9);
}

TEST(Example, EveryIdIsExplainedAndEveryExplainedIdExists)
{
    std::set<std::string> ids, explained;
    for (const auto &kinds : catalogue::all)
        for (const auto &kind : kinds) ids.emplace(kind.id);
    std::istringstream page(read("docs/man/nm-ib-doctor.7.adoc"));
    for (std::string line; std::getline(page, line);) {
        const auto end = line.find("*:: ");
        if (!line.starts_with('*') || end == line.npos) continue;
        const auto id = line.substr(1, end - 1);
        if (id.find_first_not_of("0123456789") == id.npos) continue; // an exit status
        if (id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != id.npos) continue;
        EXPECT_TRUE(explained.insert(id).second) << id << ": twice";
    }
    EXPECT_EQ(explained, ids);
}

TEST(Example, ShippedConfigurationShowsTheBuiltInValues)
{
    auto text = read("data/nm-ib.conf");
    std::string active;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = text.find('\n', at);
        auto line = text.substr(at, end - at);
        if (line.starts_with('#') && !line.starts_with("# ")) line.erase(0, 1);
        active += line + "\n";
        at = end + 1;
    }
    const auto file = Keyfile::parse(active, "nm-ib.conf");
    ASSERT_TRUE(file) << file.error().what;
    EXPECT_EQ(file->keys("main").size(), 4u) << "a key without an example";
    Policy policy;
    policy.connected_impossible = Policy::Impossible::fail;
    policy.plugin = policy.remove_leftovers = false;
    policy.debug = true;
    std::vector<Error> mistakes;
    parse_conf(active, "nm-ib.conf", policy, mistakes);
    EXPECT_TRUE(mistakes.empty());
    EXPECT_EQ(policy.connected_impossible, Policy{}.connected_impossible);
    EXPECT_EQ(policy.plugin, Policy{}.plugin);
    EXPECT_EQ(policy.remove_leftovers, Policy{}.remove_leftovers);
    EXPECT_EQ(policy.debug, Policy{}.debug);
}
} // namespace

} // namespace nmib
