// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/event.hpp"
#include "dispatch/handle.hpp"
#include "temp_dir.hpp"
#include "unit/netlink_error.hpp"

#include <cstring>
#include <gtest/gtest.h>

using namespace nmib;

namespace
{
const char *none(const char *) { return nullptr; }
const char *external(const char *name) { return std::strcmp(name, "CONNECTION_EXTERNAL") == 0 ? "1" : nullptr; }
const char *profile(const char *name)
{
    return std::strcmp(name, "CONNECTION_UUID") == 0       ? "u-1"
           : std::strcmp(name, "CONNECTION_FILENAME") == 0 ? "/a/b"
                                                           : nullptr;
}

auto parse(std::initializer_list<const char *> words, Environment environment = none)
{
    std::vector<const char *> argv = {"nm-ib-dispatcher"};
    argv.insert(argv.end(), words);
    return parse_event(static_cast<int>(argv.size()), argv.data(), environment);
}
} // namespace

TEST(Event, KnowsTheFourActions)
{
    const std::pair<const char *, Event::Action> all[] = {{"pre-up", Event::Action::pre_up},
                                                          {"up", Event::Action::up},
                                                          {"reapply", Event::Action::reapply},
                                                          {"down", Event::Action::down}};
    for (const auto &[word, action] : all) {
        const auto e = parse({"ib0", word}, profile);
        ASSERT_TRUE(e && *e) << word;
        EXPECT_EQ((*e)->action, action);
        EXPECT_EQ((*e)->link.view(), "ib0");
        EXPECT_EQ((*e)->uuid, "u-1");
        EXPECT_EQ((*e)->filename, "/a/b");
        EXPECT_EQ((*e)->id, "");
    }
}

TEST(Event, OtherEventsAreIgnored)
{
    for (const auto *word : {"pre-down", "dhcp4-change", "hostname", "connectivity-change", "vpn-up", "", "UP"}) {
        const auto e = parse({"ib0", word});
        EXPECT_TRUE(e && !*e) << word;
    }
    for (const auto &e : {parse({"", "up"}), parse({"none", "up"}), parse({"ib0", "up"}, external)})
        EXPECT_TRUE(e && !*e);
}

TEST(Event, InvalidArgumentsAreRefused)
{
    EXPECT_FALSE(parse({}));
    EXPECT_FALSE(parse({"ib0"}));
    EXPECT_FALSE(parse({"ib0", "up", "more"}));
    for (const auto *name : {"../../etc", "a/b", "a:b", "a b", "0123456789abcdef", ".", "..", "ib\n0"}) {
        const auto e = parse({name, "up"});
        ASSERT_FALSE(e) << name;
        EXPECT_EQ(e.error().what.find('\n'), std::string::npos);
    }
}

TEST(Event, DebugLevelLogsWhyNothingIsDone)
{
    const TempDir dir;
    HandlePaths paths{{dir / "nm-ib.conf", dir / "quirks", dir / "own"}, {"/sys", dir / "state"}};
    const Event event{*IfName::parse("no-such"), Event::Action::down, "u", "i", ""};
    EXPECT_EQ(handle(event, paths), Lines());
    dir.write("nm-ib.conf", "[main]\nlog-level=debug\n");
    EXPECT_EQ(handle(event, paths), (Lines{{Severity::debug, "no-such: not an InfiniBand interface, or does not "
                                                             "exist"}}));
}

TEST(Event, NetlinkErrorIsNotReportedAsAMissingInterface)
{
    const TempDir dir;
    const HandlePaths paths{{dir / "nm-ib.conf", dir / "quirks", dir / "own"}, {"/sys", dir / "state"}};
    const auto fails = [&] {
        for (const auto action : {Event::Action::up, Event::Action::down})
            EXPECT_EQ(handle({*IfName::parse("lo"), action, "u", "i", ""}, paths),
                      (Lines{{Severity::error, "lo: Operation not permitted"}}));
    };
    if (!test::with_netlink_error(EPERM, fails)) GTEST_SKIP() << "no seccomp here";
}
