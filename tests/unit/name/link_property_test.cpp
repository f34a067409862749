// SPDX-License-Identifier: LGPL-2.1-or-later
// Any accepted name, path, GUID or address gives exactly the expected lines of a .link file.
#include "name_make.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <random>

namespace nmib
{
namespace
{

#ifdef SANITIZED
constexpr int inputs = 100000;
#else
constexpr int inputs = 1000000;
#endif

struct Random {
    std::mt19937_64 engine{20240517};
    std::size_t below(std::size_t n) { return engine() % n; }

    std::string bytes(std::size_t n)
    {
        std::string s(n, '\0');
        for (auto &c : s) c = static_cast<char>(engine());
        return s;
    }

    /// A valid word, sometimes spoilt with characters that are special in a .link file, a glob, a rule or a shell.
    std::string spoilt(std::string s)
    {
        static const std::string_view poison[] = {"\n",
                                                  "\r",
                                                  std::string_view("\0", 1),
                                                  "[Link]",
                                                  "\n[Link]\nName=evil",
                                                  "=",
                                                  "%n",
                                                  "%",
                                                  "*",
                                                  "?",
                                                  "[a]",
                                                  "]",
                                                  "!",
                                                  "\\",
                                                  "\\\n",
                                                  "\"",
                                                  "'",
                                                  " ",
                                                  "\t",
                                                  "#",
                                                  ";",
                                                  "$(id)",
                                                  "`",
                                                  "/",
                                                  "..",
                                                  ":",
                                                  "\xff",
                                                  "\xc3\xa4",
                                                  "\x7f",
                                                  ","};
        for (auto n = below(3); n-- > 0;) {
            const auto at = below(s.size() + 1);
            switch (below(4)) {
            case 0: s.insert(at, poison[below(std::size(poison))]); break;
            case 1: s.insert(at, 1, static_cast<char>(engine())); break;
            case 2: s.erase(at, below(3)); break;
            default:
                if (at < s.size()) s[at] = static_cast<char>(engine());
            }
        }
        return s;
    }

    std::string one_of(std::initializer_list<const char *> all) { return *(all.begin() + below(all.size())); }

    std::string input(std::string good) { return below(8) == 0 ? bytes(below(40)) : spoilt(std::move(good)); }
};

using Entries = std::vector<std::array<std::string, 3>>;

struct Property : testing::Test {
    Random random;
    int files = 0;
    std::string printables = "\n";
    Property()
    {
        for (char c = ' '; c < 0x7f; c++) printables += c;
    }

    /// The text has the head and the lines of these entries, and is parsed to these entries.
    void is_just(const LinkFile &file, const Entries &expected)
    {
        const auto all = text(file);
        std::string lines, section;
        for (const auto &[in, key, value] : expected) {
            if (in != section) lines += "\n[" + in + "]\n";
            section = in;
            lines += key + "=" + value + "\n";
        }
        const auto blank = all.find("\n\n");
        ASSERT_NE(blank, all.npos);
        ASSERT_EQ(all.substr(blank + 1), lines);
        const auto head = all.substr(0, blank);
        ASSERT_EQ(head.find_first_not_of(printables), head.npos) << testing::PrintToString(head);
        ASSERT_TRUE(head.starts_with("# Written") && head.find("\n# To take") < head.find("\n# Checksum"));
        ASSERT_EQ(head.find('\n', head.find("\n# Checksum") + 1), head.npos);
        const auto config = test::config(file);
        ASSERT_EQ(config.entries.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); i++) {
            const auto &e = config.entries[i];
            ASSERT_EQ((std::array{e.section, e.key, e.value}), expected[i]);
        }
        ASSERT_EQ(match_of(config), file.match);
        ASSERT_TRUE(is_ours(config));
        ASSERT_TRUE(is_untouched(all));
        ASSERT_EQ(name_in(config.file), file.name);
        files++;
    }

    void with(const PortName &name, const PortMatch &match, const Entries &conditions)
    {
        const LinkFile file{.name = name, .match = match};
        Entries expected = {{"Match", "Type", "infiniband"}};
        expected.insert(expected.end(), conditions.begin(), conditions.end());
        expected.push_back({"Link", "Name", name.str()});
        expected.push_back({"Link", "AlternativeNamesPolicy", "database onboard slot path"});
        is_just(file, expected);
    }
};

TEST_F(Property, RandomInputAddsNoUnintendedByteToAFile)
{
    int taken = 0;
    for (int i = 0; i < inputs && !HasFatalFailure(); i++) {
        const auto typed = random.input(random.one_of({"mlx4_ib0", "ib0", "a", "storage", "x-1.2", "_0"}));
        const auto name = PortName::parse(typed);
        taken += name.has_value();
        const auto used = name.value_or(test::port_name("mlx"));
        ASSERT_TRUE(!name || name->str() == typed);
        switch (random.below(2)) {
        case 0: {
            const auto guid = Guid::parse(random.input(random.one_of(
                {"0x0002c903000a0001", "00:02:c9:03:00:0a:00:01", "0002:c903:000A:0001", "fedcba9876543210"})));
            if (guid) with(used, ByGuid{*guid}, {{"Match", "Property", "ID_IPOIB_ADDRESS=*:" + guid->bytes()}});
            break;
        }
        case 1: {
            const auto path =
                IdPath::parse(random.input(random.one_of({"pci-0000:05:00.0", "platform-x_y", "vmbus-1-2"})));
            const auto port = static_cast<unsigned>(1 + random.below(254));
            if (path)
                with(used, ByPath{*path, port},
                     {{"Match", "Property", "ID_PATH=" + path->str()},
                      {"Match", "Property", "ID_IPOIB_DEV_PORT=" + std::to_string(port - 1)}});
            break;
        }
        }
    }
    std::cout << inputs << " inputs, " << taken << " names taken, " << files << " files written\n";
    EXPECT_GT(taken, inputs / 4) << "nothing is shown by what is refused";
    EXPECT_LT(taken, inputs * 3 / 4);
    EXPECT_GT(files, inputs / 3);
}

} // namespace
} // namespace nmib
