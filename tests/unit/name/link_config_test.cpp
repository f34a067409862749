// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/link_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

/// "section|key|value" for each entry, or "refused".
std::string parsed(std::string_view text)
{
    const auto entries = parse_link_config(text);
    if (!entries) return "refused";
    std::string all;
    for (const auto &e : *entries) all += (all.empty() ? "" : " ; ") + e.section + "|" + e.key + "|" + e.value;
    return all;
}

TEST(LinkConfig, ParsesLinesLikeSystemd)
{
    const std::pair<std::string, const char *> cases[] = {
        {"", ""},
        {"[Match]\nType=a\n[Link]\nName=b", "Match|Type|a ; Link|Name|b"},
        {"  [Match]  \n\t Type \t=  a b\t \n", "Match|Type|a b"},
        {"[Match]\nType=a=b\n", "Match|Type|a=b"},
        {"[Match]\nType=\nType\n=a\n = a\n", "Match|Type|"},
        {"Type=a\n[Match]\n", ""},
        {"[Match]\n[]\nType=a\n", ""},
        {"[ Match ]\nType=a\n", " Match |Type|a"},
        // comments
        {"[Match]\n#Type=a\n  # Type=b\n;Type=c\n\t;\nType=d # e\n", "Match|Type|d # e"},
        // line ends
        {"[Match]\r\nType=a\r\nKind=b\r\n", "Match|Type|a ; Match|Kind|b"},
        // continuation
        {"[Match]\nType=a\\\nb\n", "Match|Type|a b"},
        {"[Match]\nType=a\\\n   b\\\nc\n", "Match|Type|a    b c"},
        {"[Match]\nType=a\\\n# Type=x\n ; y\n b\n", "Match|Type|a  b"},
        {"[Match]\nType=a\\ \nKind=b\n", "Match|Type|a\\ ; Match|Kind|b"},
        {"[Match]\nType=a\\", "Match|Type|a"},
        {"[Match]\nType=a\\\n", "Match|Type|a"},
        {"[Match]\nType=a\\\n# b\n", "Match|Type|a"},
        {"[Ma\\\ntch]\nType=a\n", "Ma tch|Type|a"},
        {"[Match]\nTy\\\npe=a\n", "Match|Ty pe|a"},
        // errors that refuse the whole file
        {"[Match]\nType=a\n[Link\nName=b\n", "refused"},
        {"[Match]\nType=a\n[Link]x\n", "refused"},
        {"[", "refused"},
        {"[Match\\\n", "refused"},
        {"[Match]\nType=a\n# \xff\n", "Match|Type|a"},
        {"[Match]\nType=\xc3\xa4\n", "Match|Type|\xc3\xa4"},
    };
    for (const auto &[text, expected] : cases) EXPECT_EQ(parsed(text), expected) << testing::PrintToString(text);
}

TEST(LinkConfig, RepeatedKeysAppendOrOverrideLikeSystemd)
{
    LinkConfig c;
    c.entries = *parse_link_config(
        "[Link]\nAlternativeName=a b\nAlternativeName=c\nName=x\nName=y\nMTUBytes=\n"
        "NamePolicy=keep\nNamePolicy=path mac\nAlternativeNamesPolicy=path\nAlternativeNamesPolicy=\n"
        "[Match]\nName=z\nPath=a\nPath=\nPath=b 'c d'\n");
    using Words = std::vector<std::string>;
    EXPECT_EQ(c.words("Link", "AlternativeName"), (Words{"a", "b", "c"}));
    EXPECT_EQ(c.words("Link", "NamePolicy"), (Words{"path", "mac"})) << "the last line of a policy counts";
    EXPECT_EQ(c.words("Link", "AlternativeNamesPolicy"), Words{});
    EXPECT_EQ(c.words("Match", "Path"), (Words{"b", "c d"})) << "an empty value takes back";
    EXPECT_EQ(c.words("Link", "name"), Words{});
    EXPECT_EQ(c.value("Link", "Name"), "y");
    EXPECT_EQ(c.value("Match", "Name"), "z");
    EXPECT_EQ(c.value("Link", "MTUBytes"), "");
    EXPECT_EQ(c.value("Link", "Alias"), "");
}

TEST(LinkConfig, ValueIsSplitIntoWordsWithQuotes)
{
    using Words = std::vector<std::string>;
    const std::pair<const char *, Words> cases[] = {{"", {}},
                                                    {" \t ", {}},
                                                    {" a\tb  c ", {"a", "b", "c"}},
                                                    {"\"a b\" c", {"a b", "c"}},
                                                    {"'a \"b' c", {"a \"b", "c"}},
                                                    {"a'b'c ''", {"abc", ""}},
                                                    {"a \"b c", {"a", "b c"}},
                                                    {"a\\ b", {"a\\", "b"}}};
    for (const auto &[value, words] : cases) EXPECT_EQ(config_words(value), words) << value;
}

} // namespace
} // namespace nmib
