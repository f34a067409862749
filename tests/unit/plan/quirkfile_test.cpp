// SPDX-License-Identifier: LGPL-2.1-or-later
// The format of quirk files, key by key, and the shipped files.
#include "id.hpp"
#include "make.hpp"
#include "probe/plan/policy.hpp"
#include "tree.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct QuirksRead {
    std::vector<Quirk> quirks;
    std::vector<Error> warnings;
    explicit operator bool() const { return warnings.empty(); }
    std::string what() const { return warnings.empty() ? "" : warnings[0].what; }
};
QuirksRead quirks_in(const std::string &text)
{
    QuirksRead all;
    all.quirks = parse_quirks(text, "q.conf", all.warnings);
    return all;
}
QuirksRead with(const std::string &line) { return quirks_in("[q]\nWarn=w\n" + line + "\n"); }

TEST(QuirkFile, EveryKeyIsRead)
{
    const auto r =
        quirks_in("[q]\n# d\nMatchDriver=mlx4_core\nMatchVendor=0x15b3\n"
                  "MatchDevice=0x6340; 25418 ;\nMatchRevision=160\nMatchFlagsByte=no-rc\nMatchNameLength=>10\n"
                  "Scope=port\nRefuse=transport-mode:connected\nTry=transport-mode:connected\nReason=r\nWarn=w\n"
                  "Feature.tx-tcp-segmentation=off\nFeature.rx-gro=on\n");
    ASSERT_TRUE(r) << r.what();
    ASSERT_THAT(r.quirks, SizeIs(1));
    const auto &q = r.quirks.front();
    EXPECT_EQ(q.name, "q");
    EXPECT_EQ(q.file, "q.conf");
    EXPECT_EQ(q.match.driver, "mlx4_core");
    EXPECT_EQ(q.match.vendor, 0x15b3);
    EXPECT_THAT(q.match.devices, ElementsAre(0x6340, 25418));
    EXPECT_EQ(q.match.revision, 0xa0U);
    EXPECT_EQ(q.match.rc_capable, false);
    EXPECT_EQ(q.match.name_longer_than, 10U);
    EXPECT_EQ(q.scope, Quirk::Scope::port);
    EXPECT_TRUE(q.no_connected);
    EXPECT_TRUE(q.try_connected);
    EXPECT_EQ(q.reason, "r");
    EXPECT_EQ(q.warning, "w");
    ASSERT_THAT(q.features, SizeIs(2));
    EXPECT_EQ(q.features[0].name, test::tso);
    EXPECT_FALSE(q.features[0].on);
    EXPECT_TRUE(q.features[1].on);
}

TEST(QuirkFile, MissingKeysMatchAnything)
{
    const auto r = with("");
    ASSERT_TRUE(r);
    const auto &q = r.quirks.front();
    EXPECT_EQ(q.scope, Quirk::Scope::port_and_children);
    EXPECT_FALSE(q.match.vendor || q.match.revision || q.match.rc_capable || q.no_connected);
    EXPECT_TRUE(q.match.driver.empty() && q.match.devices.empty() && q.features.empty());
    EXPECT_EQ(q.match.name_longer_than, 0U);
    EXPECT_EQ(with("MatchFlagsByte=rc").quirks.front().match.rc_capable, true);
    EXPECT_EQ(with("Scope=port+children").quirks.front().scope, Quirk::Scope::port_and_children);
}

class BadLine : public testing::TestWithParam<const char *>
{
};

/// A bad line costs itself or, as a condition, its quirk; the warning names file, line, group and key.
TEST_P(BadLine, CostsTheLineOrTheQuirk)
{
    const std::string line = GetParam();
    const auto r = quirks_in("[good]\nWarn=w\n[q]\nWarn=w\nTry=transport-mode:connected\nReason=r\n" + line + "\n");
    ASSERT_THAT(r.warnings, SizeIs(1)) << line;
    EXPECT_EQ(r.warnings[0].kind, Error::Kind::invalid);
    EXPECT_THAT(r.what(), AllOf(HasSubstr("q.conf:7: [q] "), HasSubstr(line.substr(0, line.find('=')))));
    const bool is_lost = (line.starts_with("Match") && !line.starts_with("MatchArpType")) ||
                         line.starts_with("Scope") || line.starts_with("match");
    EXPECT_THAT(r.what(), HasSubstr(is_lost ? "ignoring the quirk" : "ignoring the line"));
    ASSERT_THAT(r.quirks, SizeIs(is_lost ? 1 : 2));
    EXPECT_EQ(r.quirks[0].name, "good");
    EXPECT_TRUE(is_lost || (r.quirks[1].try_connected && r.quirks[1].warning == "w" && r.quirks[1].reason == "r"));
}

INSTANTIATE_TEST_SUITE_P(
    Values, BadLine,
    testing::Values("MatchArpType=32", "Matchrevision=0xa0", "matchRevision=0xa0", "MatchRevision 0xa0",
                    "MatchDriver=", "MatchVendor=", "MatchVendor=15b3", "MatchVendor=0x115b3", "MatchVendor=-1",
                    "MatchDevice=", "MatchDevice=;", "MatchDevice=0x6340;;0x634a", "MatchDevice=0x6340,0x634a",
                    "MatchDevice=0x6340;x", "MatchDevice=65536", "MatchRevision=a0", "MatchRevision=0x1000000000",
                    "MatchFlagsByte=", "MatchFlagsByte=RC", "MatchNameLength=10", "MatchNameLength=>",
                    "MatchNameLength=>15", "MatchNameLength=>99999999999999999999", "MatchNameLength=<10",
                    "Scope=", "Scope=children", "Scope=port children", "Refuse=", "Refuse=transport-mode:datagram",
                    "Reason=", "Warn=", "OnlyIfAvailable=no", "Description=d", "more words", "Feature.=off",
                    "Feature.TSO=off", "Feature.tx-tcp-segmentation=", "Feature.tx-tcp-segmentation=maybe",
                    "Feature.tx tcp=off", "Feature.0123456789012345678901234567890x=off", "Unknown=1", "warn=w",
                    "MatchDriver=\xff", "MatchDriver=a\\qb"));

TEST(QuirkFile, LastOfRepeatedLinesHolds)
{
    const auto r = quirks_in("[q]\nMatchDevice=1\nMatchDevice=2\nFeature.rx-gro=on\nFeature.rx-gro=off\n[r]\nWarn=w\n"
                             "[q]\nMatchRevision=0xb0\n");
    ASSERT_TRUE(r) << r.what();
    ASSERT_THAT(r.quirks, SizeIs(2));
    EXPECT_THAT(r.quirks[0].match.devices, ElementsAre(2));
    ASSERT_THAT(r.quirks[0].features, SizeIs(1));
    EXPECT_FALSE(r.quirks[0].features[0].on);
    EXPECT_EQ(r.quirks[0].match.revision, 0xb0U);
}

TEST(QuirkFile, QuirkWithoutAnEffectIsIgnored)
{
    for (const char *idle : {"[q]\n", "[q]\nMatchDriver=mlx4_core\n", "[q]\nReason=r\n"}) {
        const auto r = quirks_in(idle);
        EXPECT_THAT(r.quirks, SizeIs(0)) << idle;
        EXPECT_THAT(r.what(), HasSubstr("q.conf:1: [q] does nothing"));
    }
    EXPECT_THAT(quirks_in("[q]\nRefuse=transport-mode:connected\n").what(), HasSubstr("Reason="));
    EXPECT_EQ(quirks_in("[q]\nRefuse=transport-mode:connected\nReson=x\n").what(),
              "q.conf:3: [q] unknown key 'Reson', ignoring the quirk");
    EXPECT_TRUE(quirks_in("[q]\nRefuse=transport-mode:connected\nReason=r\n"));
}

TEST(QuirkFile, ErrorsAreOneLineForAnyContent)
{
    for (const char *text : {"[q]\nScope=a\\nb\x1b[2J\n", "[q]\nWarn=w\nx\x1by=1\n", "[q\x1b]\nWarn=w\n",
                             "[q]\n\x1b\x07\n", "[q]\nWarn=w\nFeature.x=\\n\n"}) {
        const auto r = quirks_in(text);
        ASSERT_FALSE(r) << text;
        for (const auto &w : r.warnings) EXPECT_EQ(w.what.find_first_of("\n\x1b\x07"), std::string::npos) << w.what;
    }
}

/// Owned by root, as installed: files in the source tree may belong to another user, and are not trusted then.
Policy shipped()
{
    const test::Tree installed;
    for (const auto &entry : std::filesystem::directory_iterator(test::source("data/quirks.d"))) {
        std::ifstream file(entry.path());
        installed.file(entry.path().filename(), std::string(std::istreambuf_iterator<char>(file), {}));
    }
    const auto r = read_policy({"/nonexistent/nm-ib.conf", installed.path(), "/nonexistent/quirks.d"});
    EXPECT_THAT(r.warnings, SizeIs(0));
    return r.policy;
}

std::vector<std::string> matching(const Policy &policy, const Facts &facts)
{
    std::vector<std::string> out;
    for (const auto &q : policy.quirks)
        if (matches(q, facts, facts.links[0])) out.push_back(q.name);
    return out;
}

TEST(Shipped, ShippedQuirksMatchOnlyConnectXRevisionA0)
{
    const auto policy = shipped();
    Facts facts{test::connectx(0xa0), {test::port_link(1, "ib0")}};
    auto &device = *facts.device;
    const std::vector<unsigned> listed = {0x6340, 0x634a, 0x6354, 0x6732, 0x673c};
    for (unsigned id = 0; id <= 0xffff; id++) {
        device.pci_id->device = static_cast<std::uint16_t>(id);
        const bool is_listed = std::find(listed.begin(), listed.end(), id) != listed.end();
        ASSERT_EQ(!matching(policy, facts).empty(), is_listed) << std::hex << id;
    }
    device.pci_id->device = 0x634a;
    EXPECT_THAT(matching(policy, facts), ElementsAre("mlx4-connectx-a0-lso"));
    for (unsigned rev = 0; rev <= 0xff; rev++) {
        device.hw_rev = hex(rev, 2);
        ASSERT_EQ(!matching(policy, facts).empty(), rev == 0xa0) << std::hex << rev;
    }
    device.hw_rev = std::string("a0");
    device.driver = "ib_mthca";
    EXPECT_THAT(matching(policy, facts), SizeIs(0));
    device.driver = "mlx4_core";
    device.pci_id->vendor = 0x15b4;
    EXPECT_THAT(matching(policy, facts), SizeIs(0));
}

TEST(Shipped, LsoQuirkSwitchesTsoOffOnPortAndChildren)
{
    Facts facts{test::connectx(0xa0), {test::port_link(1, "ib0"), test::child_link(2, "ib0.8002", 1, 0x8002)}};
    for (auto &l : facts.links) l.features = {{test::tso, true, true}};
    const auto p = plan(facts, {.ifindex = 1}, shipped());
    EXPECT_THAT(test::changes(p), ElementsAre("ib0 tx-tcp-segmentation off", "ib0.8002 tx-tcp-segmentation off"));
}

TEST(Shipped, LongNameWarningIsOnThePortOnly)
{
    Facts facts{test::connectx(0xb0),
                {test::port_link(1, "ibp129s0f0d1"), test::child_link(2, "ibp129s0f0.8002", 1, 0x8002)}};
    EXPECT_THAT(test::codes(plan(facts, {.ifindex = 1}, shipped())), ElementsAre("quirk-warning"_id));
    EXPECT_THAT(test::codes(plan(facts, {.ifindex = 2}, shipped())), SizeIs(0));
    facts.links[0].name = test::ifname("ibp129s0f0");
    EXPECT_THAT(test::codes(plan(facts, {.ifindex = 1}, shipped())), SizeIs(0));
}

} // namespace
} // namespace nmib
