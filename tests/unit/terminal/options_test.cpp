// SPDX-License-Identifier: LGPL-2.1-or-later
// The global options before a command: nmcli's spellings and nm-ib's own.
#include "terminal/options.hpp"

#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using Print = Options::Print;
using Colors = Options::Colors;

/// Parses the words. Returns the options; the first word that is left must be "command".
std::optional<Options> parsed(Words words)
{
    Args args(std::move(words), "command");
    auto options = parse_options(args);
    EXPECT_TRUE(!options || args.rest() == Words{"command"});
    return options;
}

TEST(Options, DefaultsApplyWithoutWords)
{
    const auto o = parsed({}).value();
    EXPECT_FALSE(o.offline || o.ask || o.strict || o.with_parent || o.rdma || o.json || o.has_own());
    EXPECT_EQ(o.print, Print::normal);
    EXPECT_FALSE(o.multiline || o.fields);
    EXPECT_TRUE(o.escape);
    EXPECT_EQ(o.colors, Colors::automatic);
    EXPECT_EQ(o.wait, std::chrono::seconds(90));
}

TEST(Options, EachSpellingOfAnOptionIsAccepted)
{
    for (const Words &words : {Words{"--terse"}, Words{"-terse"}, Words{"-t"}, Words{"--t"}, Words{"-te"}})
        EXPECT_EQ(parsed(words).value().print, Print::terse) << words[0];
    for (const Words &words : {Words{"-p"}, Words{"--pretty"}}) EXPECT_EQ(parsed(words).value().print, Print::pretty);
    for (const Words &words : {Words{"--offline"}, Words{"-of"}}) EXPECT_TRUE(parsed(words).value().offline);
    EXPECT_FALSE(parsed({"-o"}).value().offline) << "nmcli's --overview comes first";
    for (const Words &words : {Words{"-m", "multiline"}, Words{"--mode=multi"}, Words{"-mode", "m"}})
        EXPECT_EQ(parsed(words).value().multiline, std::optional(true)) << words[0];
    for (const Words &words : {Words{"-m", "tabular"}, Words{"--mode", "t"}})
        EXPECT_EQ(parsed(words).value().multiline, std::optional(false));
    EXPECT_EQ(parsed({"-c", "yes"}).value().colors, Colors::yes);
    EXPECT_EQ(parsed({"--colors=no"}).value().colors, Colors::no);
    EXPECT_EQ(parsed({"-c", "yes", "-c", "auto"}).value().colors, Colors::automatic);
    EXPECT_FALSE(parsed({"-e", "no"}).value().escape);
    EXPECT_TRUE(parsed({"-e", "no", "--escape", "yes"}).value().escape);
    EXPECT_EQ(parsed({"-f", "a,b"}).value().fields, "a,b");
    EXPECT_EQ(parsed({"--fields=a,b"}).value().fields, "a,b");
    EXPECT_TRUE(parsed({"-n"}));
    EXPECT_TRUE(parsed({"--nocheck"}));
    EXPECT_EQ(parsed({"-w", " 7 "}).value().wait, std::chrono::seconds(7));
    EXPECT_EQ(parsed({"--wait=0"}).value().wait, std::chrono::seconds(0));
    EXPECT_TRUE(parsed({"--"})) << "ends the options";
}

TEST(Options, GetValuesIsTerseAndTabularUnlessAModeIsGiven)
{
    const auto o = parsed({"-g", "name"}).value();
    EXPECT_EQ(o.fields, "name");
    EXPECT_EQ(o.print, Print::terse);
    EXPECT_EQ(o.multiline, std::optional(false));
    EXPECT_EQ(parsed({"-m", "multiline", "-g", "name"}).value().multiline, std::optional(true));
    EXPECT_EQ(parsed({"-p", "-g", "name"}).value().print, Print::terse);
}

TEST(Options, MistakesAreLeftToNmcli)
{
    for (const Words &words :
         {Words{"-x"}, Words{"--bogus"}, Words{"-t", "-p"}, Words{"-p", "-t"}, Words{"-t", "-t"}, Words{"-m", "x"},
          Words{"-m"}, Words{"--mode="}, Words{"-c", "perhaps"}, Words{"-e", ""}, Words{"-w", "x"}, Words{"-w", "-1"},
          Words{"-w", ""}, Words{"-w", "2147483648"}, Words{"-v"}, Words{"-h"}, Words{"--terse=yes"}}) {
        Args args(words);
        EXPECT_FALSE(parse_options(args)) << words[0];
    }
    for (const auto *option : {"-m", "-c", "-e", "-f", "-g", "-w"}) {
        Args args(Words{option});
        EXPECT_FALSE(parse_options(args)) << option;
    }
    EXPECT_EQ(parsed({"-w", "2147483647"}).value().wait, std::chrono::seconds(INT32_MAX));
}

TEST(Options, OwnOptionsMayStandAnywhereBeforeTheCommand)
{
    const auto o = parsed({"--strict", "-t", "--with-parent", "--json", "--", "--ask", "--show-secrets"}).value();
    EXPECT_TRUE(o.strict && o.with_parent && o.json && o.ask);
    EXPECT_EQ(o.print, Print::terse);
    EXPECT_TRUE(parsed({"-a"}).value().ask);
    EXPECT_FALSE(parsed({"-s"}).value().ask);
    EXPECT_TRUE(parsed({"--strict"}).value().has_own());
    EXPECT_TRUE(parsed({"--with-parent"}).value().has_own());
    EXPECT_TRUE(parsed({"--json"}).value().has_own());
    EXPECT_FALSE(parsed({"-a", "-t"}).value().has_own());
    EXPECT_FALSE(parsed({"--stric"})) << "nm-ib's own options have no abbreviation";
}

TEST(Options, ArgsReturnTheRemainingWords)
{
    Args args({"a", "b"}, "c");
    EXPECT_EQ(args.left(), 3U);
    EXPECT_TRUE(args.has("a") && args.has("c") && !args.has("d"));
    EXPECT_EQ(args.second(), "b");
    EXPECT_EQ(args.take(), "a");
    EXPECT_FALSE(args.has("a"));
    EXPECT_EQ(args.front(), "b");
    args.skip();
    EXPECT_EQ(args.second(), "");
    EXPECT_EQ(args.rest(), Words{"c"});
    args.skip();
    args.skip();
    EXPECT_TRUE(args.empty());
    EXPECT_EQ(args.left(), 0U);
    EXPECT_FALSE(skip_option(args, *std::make_unique<Options>()));
    EXPECT_TRUE(is_selector("id") && is_selector("filename") && !is_selector("apath") && !is_selector(""));
}

} // namespace
} // namespace nmib::cli
