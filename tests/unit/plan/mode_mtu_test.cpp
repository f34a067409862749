// SPDX-License-Identifier: LGPL-2.1-or-later
// plan(): transport mode and MTU, one row for each situation.
#include "id.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Cause = Finding::Cause;

constexpr auto datagram = TransportMode::datagram;
constexpr auto connected = TransportMode::connected;

/// A port with ib0 (ifindex 4), and a profile without requests.
struct World {
    Facts facts{connectx(0xb0), {port_link(4, "ib0")}};
    Intent intent{.ifindex = 4, .profile = "office"};
    Policy policy{};

    Link &link() { return facts.links[0]; }
    Plan plan() const { return nmib::plan(facts, intent, policy); }
};

struct Row {
    const char *name;
    std::function<void(World &)> given;
    std::vector<std::string> changes;
    std::vector<std::string> codes;
};

class PlanRow : public testing::TestWithParam<Row>
{
};

TEST_P(PlanRow, Holds)
{
    World w;
    GetParam().given(w);
    const auto p = w.plan();
    EXPECT_EQ(changes(p), GetParam().changes);
    EXPECT_EQ(codes(p), GetParam().codes);
}

Row row(const char *name, std::function<void(World &)> given, std::vector<std::string> changes,
        std::vector<std::string> codes = {})
{
    return {name, std::move(given), std::move(changes), std::move(codes)};
}
const auto shown = [](const auto &info) { return std::string(info.param.name); };

INSTANTIATE_TEST_SUITE_P(
    Mode, PlanRow,
    testing::Values(row("nothing_asked", [](World &) {}, {}),
                    row("already_connected", [](World &w) { w.intent.mode = w.link().mode = connected; }, {}),
                    row("already_datagram", [](World &w) { w.intent.mode = datagram; }, {}),
                    row("to_connected", [](World &w) { w.intent.mode = connected; }, {"ib0 mode connected"}),
                    row("to_datagram",
                        [](World &w) {
                            w.link().mode = connected;
                            w.intent.mode = datagram;
                        },
                        {"ib0 mode datagram"}),
                    row("datagram_without_a_mode_file",
                        [](World &w) {
                            w.link().mode_writable = false;
                            w.intent.mode = datagram;
                        },
                        {}, {"no-mode-file"_id}),
                    row("connected_already_without_a_mode_file",
                        [](World &w) {
                            w.link().mode_writable = false;
                            w.intent.mode = w.link().mode = connected;
                        },
                        {}, {"no-mode-file"_id}),
                    row("to_connected_without_a_mode_file",
                        [](World &w) {
                            w.link().mode_writable = false;
                            w.intent.mode = connected;
                        },
                        {}, {"no-mode-file"_id}),
                    row("mode_left_alone",
                        [](World &w) {
                            w.link().mode = connected;
                            w.link().mtu = 65520;
                            w.intent.mtu = 0;
                        },
                        {})),
    shown);

INSTANTIATE_TEST_SUITE_P(
    Mtu, PlanRow,
    testing::Values(row("not_asked", [](World &w) { w.link().mtu = 1500; }, {}),
                    row("as_it_is", [](World &w) { w.intent.mtu = 2044; }, {}),
                    row("lower", [](World &w) { w.intent.mtu = 1500; }, {"ib0 mtu 1500 datagram"}),
                    row("higher", [](World &w) { w.intent.mtu = 4092; }, {"ib0 mtu 4092 datagram"}),
                    row("automatic", [](World &w) { w.intent.mtu = 0; }, {}),
                    row("below_the_minimum", [](World &w) { w.intent.mtu = 1; }, {"ib0 mtu 72 datagram"}),
                    row("asked_above_the_ceiling",
                        [](World &w) {
                            w.link().mtu_ceiling = 2044;
                            w.intent.mtu = 4092;
                        },
                        {}, {"mtu-limited"_id}),
                    row("asked_above_the_ceiling_without_carrier",
                        [](World &w) {
                            w.link().carrier = false;
                            w.link().mtu = 4092;
                            w.link().mtu_ceiling = 4092;
                            w.intent.mtu = 8188;
                        },
                        {}, {"mtu-unknown"_id}),
                    row("asked_below_the_ceiling",
                        [](World &w) {
                            w.link().mtu_ceiling = 2044;
                            w.intent.mtu = 1500;
                        },
                        {"ib0 mtu 1500 datagram"}),
                    row("with_the_mode_to_connected",
                        [](World &w) {
                            w.intent.mode = connected;
                            w.intent.mtu = 65520;
                        },
                        {"ib0 mode connected", "ib0 mtu 65520 connected"}),
                    row("lower_with_the_mode_to_connected",
                        [](World &w) {
                            w.intent.mode = connected;
                            w.intent.mtu = 9000;
                        },
                        {"ib0 mode connected", "ib0 mtu 9000 connected"}),
                    row("the_same_value_in_the_other_mode",
                        [](World &w) {
                            w.intent.mode = connected;
                            w.intent.mtu = 2044;
                        },
                        {"ib0 mode connected", "ib0 mtu 2044 connected"}),
                    row("a_ceiling_of_the_old_mode_counts_no_more",
                        [](World &w) {
                            w.link().mtu_ceiling = 2044;
                            w.intent.mode = connected;
                            w.intent.mtu = 65520;
                        },
                        {"ib0 mode connected", "ib0 mtu 65520 connected"}),
                    row("not_granted_and_not_asked_for_again",
                        [](World &w) {
                            w.intent.mtu = 4092;
                            w.intent.mtu_is_settled = true;
                        },
                        {}, {"mtu-limited"_id})),
    shown);

struct Impossible {
    const char *name;
    std::function<void(World &)> given;
    Cause cause;
    const char *words;
};

class ConnectedImpossible : public testing::TestWithParam<Impossible>
{
};

TEST_P(ConnectedImpossible, FallsBackToDatagramWithTheReason)
{
    World w;
    w.intent.mode = connected;
    w.intent.mtu = 65520;
    GetParam().given(w);
    const auto p = w.plan();
    EXPECT_THAT(changes(p), ElementsAre("ib0 mtu 65520 datagram")); // apply/ finds the highest accepted MTU
    ASSERT_EQ(codes(p).front(), "connected-impossible"_id);
    EXPECT_EQ(codes(p).size(), 1U);
    EXPECT_EQ(p.findings[0].cause, GetParam().cause);
    EXPECT_EQ(p.findings[0].severity, Severity::warning);
    EXPECT_THAT(text(p.findings[0]), HasSubstr("ib0: profile 'office' requests connected mode"));
    EXPECT_THAT(text(p.findings[0]), HasSubstr(GetParam().words));
    EXPECT_THAT(text(p.findings[0]), HasSubstr("using datagram mode"));
}

TEST_P(ConnectedImpossible, StrictPolicyFailsUnlessOnlyAQuirkRefuses)
{
    World w;
    w.intent.mode = connected;
    w.policy.connected_impossible = Policy::Impossible::fail;
    GetParam().given(w);
    const auto p = w.plan();
    EXPECT_THAT(changes(p), IsEmpty());
    ASSERT_FALSE(p.findings.empty());
    const auto &f = p.findings.front();
    EXPECT_EQ(f.cause, GetParam().cause);
    const bool fails = f.cause != Cause::quirk;
    EXPECT_EQ(f.kind->id, "connected-impossible"_id);
    EXPECT_EQ(f.severity, fails ? Severity::error : Severity::warning);
    EXPECT_THAT(text(f), HasSubstr(GetParam().words));
    EXPECT_THAT(text(f), HasSubstr(fails ? "connected-impossible=fail" : "using datagram mode"));
}

Quirk denies()
{
    Quirk q;
    q.name = "no-cm";
    q.no_connected = true;
    q.reason = "firmware loses packets";
    return q;
}

INSTANTIATE_TEST_SUITE_P(Cause, ConnectedImpossible,
                         testing::Values(Impossible{"no_rc", [](World &w) { w.link().address = address(false); },
                                                    Cause::no_rc, "no RC bit"},
                                         Impossible{"driver", [](World &w) { w.link().connected_refused = true; },
                                                    Cause::driver, "the driver refused the mode"},
                                         Impossible{"quirk", [](World &w) { w.policy.quirks = {denies()}; },
                                                    Cause::quirk, "firmware loses packets"},
                                         Impossible{"no_rc_comes_first",
                                                    [](World &w) {
                                                        w.link().address = address(false);
                                                        w.policy.quirks = {denies()};
                                                    },
                                                    Cause::no_rc, "no RC bit"}),
                         shown);

TEST(PlanMode, QuirkChangesConnectedModeToDatagram)
{
    World w;
    w.intent.mode = w.link().mode = connected;
    w.policy.quirks = {denies()};
    const auto p = w.plan();
    EXPECT_THAT(changes(p), ElementsAre("ib0 mode datagram"));
    EXPECT_THAT(codes(p), ElementsAre("connected-impossible"_id));
}

TEST(PlanMode, QuirkThatDoesNotMatchHasNoEffect)
{
    World w;
    w.intent.mode = connected;
    w.policy.quirks = {denies()};
    w.policy.quirks[0].match.driver = "mlx5_core";
    EXPECT_THAT(changes(w.plan()), ElementsAre("ib0 mode connected"));
}

TEST(PlanMode, StrictPolicyHasNoFindingWhereTheModeIsPossible)
{
    World w;
    w.intent.mode = connected;
    w.policy.connected_impossible = Policy::Impossible::fail;
    EXPECT_THAT(codes(w.plan()), IsEmpty());
    w.link().address = address(false);
    w.intent.mode = datagram;
    EXPECT_THAT(codes(w.plan()), IsEmpty());
}

TEST(PlanMtu, LimitIsReportedInOneLine)
{
    World w;
    w.link().mtu_ceiling = 2044;
    w.intent.mtu = 4092;
    const auto p = w.plan();
    ASSERT_EQ(p.findings.size(), 1U);
    EXPECT_EQ(text(p.findings[0]),
              "ib0: MTU 4092 was requested, 2044 is in effect: the broadcast group of the subnet allows no more");
}

TEST(Plan, MissingInterfaceGivesAnEmptyPlan)
{
    World w;
    w.intent.ifindex = 5;
    w.intent.mode = connected;
    EXPECT_EQ(dump(w.plan()), "");
    EXPECT_EQ(dump(nmib::plan({}, w.intent, w.policy)), "");
}

} // namespace
} // namespace nmib
