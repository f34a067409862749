// SPDX-License-Identifier: LGPL-2.1-or-later
// Changes of one interface that the kernel refuses, ignores or grants in part.
#include "apply/base/file.hpp"
#include "apply/plan/apply.hpp"
#include "apply/plan/link.hpp"
#include "fake_calls.hpp"
#include "fake_kernel.hpp"
#include "id.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <sys/stat.h>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct LinkTest : testing::Test {
    FakeKernel kernel{{{}, {port_link(4, "ib0"), child_link(5, "ib0.8002", 4, 0x8002)}}, {}};
    const SysTree &tree = kernel.tree;
    const std::string state = tree.path("run");
    Probe probe = *Probe::open({tree.path(), state, tree.path("devices-of-nm")});
    const IfName ib0 = ifname("ib0");
    Policy policy{};
    Intent intent{.ifindex = 4, .profile = "office", .mode = TransportMode::connected, .mtu = 65520};

    /// "": success.
    Error set(int ifindex = 4, const IfName &link = ifname("ib0"))
    {
        const auto r = set_mode(probe.sysfs(), link, ifindex, TransportMode::connected);
        return r ? Error{} : r.error();
    }
    Error set_before_use()
    {
        const auto r = set_mode_before_use(probe.sysfs(), probe.rtnl(), ib0, 4, TransportMode::connected);
        return r ? Error{} : r.error();
    }
    const Link &link() { return *std::as_const(kernel.model()).facts().find(4); }
    Outcome settle(Use use = Use::active)
    {
        auto out = plan_and_apply(probe, state, intent, policy, Probe::Depth::all, use);
        EXPECT_TRUE(out) << out.error().what;
        return std::move(*out);
    }
    std::vector<std::string> failures(const Applied &applied) const
    {
        std::vector<std::string> all;
        for (const auto &e : applied.failures) all.push_back(e.what);
        return all;
    }
};

/// A hook for writes of ib0's mode.
FakeCalls::Before each_write(int answer)
{
    return [=](std::string_view call, const std::string &what) {
        return call == "write" && what.ends_with("/ib0/mode") ? answer : pass;
    };
}

TEST_F(LinkTest, ModeThatIsNotTakenIsRefused)
{
    const std::string where = "ib0: transport mode connected: ";
    const std::tuple<int, const char *, Error::Kind> all[] = {
        {EBUSY, "Device or resource busy", Error::Kind::refused},
        {EINVAL, "Invalid argument", Error::Kind::refused},
        {EPERM, "Operation not permitted", Error::Kind::denied},
        {pretend, "the kernel keeps the other mode", Error::Kind::refused}};
    for (const auto &[answer, why, kind] : all) {
        const FakeCalls fake(each_write(answer));
        EXPECT_EQ(set().what, where + why);
        EXPECT_EQ(set().kind, kind) << why;
    }
    EXPECT_EQ(set().what, "");
    const FakeCalls fake(each_write(EBUSY));
    EXPECT_EQ(set().what, "") << "already in this mode, whatever the write returned";
}

TEST_F(LinkTest, ModeOfAnotherInterfaceIsNotWritten)
{
    EXPECT_EQ(set(7).what, "ib0: transport mode connected: the interface was replaced meanwhile");
    EXPECT_EQ(set(7).kind, Error::Kind::absent);
    EXPECT_EQ(set(4, ifname("ib9")).what, tree.path("class/net/ib9") + ": No such file or directory");
    tree.file("class/net/ib0/ifindex", "2147483648\n");
    EXPECT_EQ(set().kind, Error::Kind::absent);
    EXPECT_EQ(kernel.mode_file("ib0"), "datagram\n");
    tree.file("class/net/ib0/ifindex", "2147483647\n");
    EXPECT_EQ(set(2147483647).what, "");
}

TEST_F(LinkTest, RefusedModeIsTriedAgainWhileTheInterfaceIsDown)
{
    std::vector<unsigned> downs; // before each write
    const FakeCalls fake([&](std::string_view call, const std::string &what) {
        if (call != "write" || !what.ends_with("/ib0/mode")) return pass;
        downs.push_back(kernel.downs);
        return downs.size() == 1 ? EINVAL : pass;
    });
    EXPECT_EQ(set_before_use().what, "");
    EXPECT_THAT(downs, ElementsAre(0U, 1U));
    EXPECT_EQ(kernel.downs, 1U);
    EXPECT_EQ(kernel.writes, 2U) << "down and up";
    EXPECT_EQ(link().mode, TransportMode::connected);
}

TEST_F(LinkTest, InterfaceIsNotTakenDownWithoutNeed)
{
    EXPECT_EQ(set_before_use().what, "");
    tree.file("class/net/ib0/mode", "datagram\n");
    {
        const FakeCalls fake(each_write(EPERM));
        EXPECT_EQ(set_before_use().what, "ib0: transport mode connected: Operation not permitted");
    }
    const FakeCalls fake(each_write(EINVAL));
    kernel.no_answer = EPERM; // unknown whether the interface is up
    EXPECT_EQ(set_before_use().kind, Error::Kind::refused);
    EXPECT_EQ(kernel.writes, 0U);
}

TEST_F(LinkTest, InterfaceThatIsDownStaysDown)
{
    auto facts = kernel.model().facts();
    facts.links[0].up = false;
    FakeKernel other{facts, {}};
    auto p = *Probe::open({other.tree.path()});
    const FakeCalls fake(each_write(EINVAL));
    EXPECT_EQ(set_mode_before_use(p.sysfs(), p.rtnl(), ib0, 4, TransportMode::connected).error().what,
              "ib0: transport mode connected: Invalid argument");
    EXPECT_EQ(other.writes, 0U);
}

TEST_F(LinkTest, FailedDownOrUpIsTheError)
{
    const FakeCalls fake([&](std::string_view call, const std::string &what) {
        if (call != "write" || !what.ends_with("/ib0/mode")) return pass;
        kernel.no_change = kernel.writes == 0 ? 0 : EBUSY; // after down
        return kernel.writes == 0 ? EINVAL : pass;
    });
    EXPECT_EQ(set_before_use().what, "interface 4: up: Device or resource busy");
    kernel.writes = 0;
    tree.file("class/net/ib0/mode", "datagram\n");
    const FakeCalls refuses(each_write(EINVAL));
    kernel.no_change = EBUSY;
    EXPECT_EQ(set_before_use().what, "interface 4: down: Device or resource busy");
    kernel.no_change = 0;
    EXPECT_EQ(set_before_use().what, "ib0: transport mode connected: Invalid argument") << "refused twice";
    EXPECT_EQ(kernel.writes, 3U) << "and up again";
}

TEST_F(LinkTest, ErrorNamesInterfaceAndRequest)
{
    auto &rtnl = probe.rtnl();
    kernel.no_change = EBUSY;
    EXPECT_EQ(set_up(rtnl, 4, true).error().what, "interface 4: up: Device or resource busy");
    EXPECT_EQ(set_mtu(rtnl, 4, 2044).error().what, "interface 4: MTU 2044: Device or resource busy");
    EXPECT_EQ(set_name(rtnl, 4, ifname("x0")).error().what, "interface 4: name x0: Device or resource busy");
    EXPECT_EQ(delete_child(rtnl, 5).error().what, "interface 5: delete: Device or resource busy");
    EXPECT_EQ(delete_child(rtnl, 4).error().what, "interface 4: not a P_Key child, not deleted");
    kernel.no_change = 0;
    EXPECT_EQ(set_name(rtnl, 4, ifname("x0")).error().what, "interface 4: name x0: the kernel keeps the other name");
    EXPECT_EQ(set_name(rtnl, 4, ifname("x0")).error().kind, Error::Kind::refused);
    EXPECT_TRUE(set_name(rtnl, 4, ib0));
    kernel.others.push_back({.ifindex = 9, .name = ifname("eth0"), .parent = 4});
    EXPECT_EQ(delete_child(rtnl, 9).error().what, "interface 9: not a P_Key child, not deleted");
    kernel.no_answer = EPERM;
    EXPECT_EQ(delete_child(rtnl, 5).error().what, "5: Operation not permitted");
    EXPECT_EQ(set_name(rtnl, 4, ib0).error().what, "4: Operation not permitted");
    EXPECT_EQ(raise_mtu(rtnl, 4, 2044, TransportMode::datagram).error().what, "4: Operation not permitted");
}

TEST_F(LinkTest, HighestMtuIsSetOrTheErrorReturned)
{
    auto &rtnl = probe.rtnl();
    EXPECT_EQ(raise_mtu(rtnl, 4, 4092, TransportMode::datagram)->mtu, 2044U);
    EXPECT_EQ(raise_mtu(rtnl, 4, 9000, TransportMode::datagram)->mtu, 2044U) << "the next lower limit";
    kernel.no_change = EBUSY;
    const auto writes = kernel.writes;
    EXPECT_EQ(raise_mtu(rtnl, 4, 4092, TransportMode::datagram).error().what,
              "interface 4: MTU 4092: Device or resource busy");
    EXPECT_EQ(kernel.writes, writes + 1) << "no lower MTU is tried";
    kernel.no_change = EINVAL;
    const auto refused = raise_mtu(rtnl, 4, 4092, TransportMode::datagram);
    EXPECT_EQ(refused.error().what, "interface 4: no MTU up to 4092 is accepted");
    EXPECT_EQ(refused.error().kind, Error::Kind::refused);
}

TEST_F(LinkTest, FailedModeSkipsItsMtuAndOtherFailuresAreListed)
{
    {
        const FakeCalls fake(each_write(EPERM));
        const auto out = settle();
        EXPECT_THAT(failures(out.applied), ElementsAre("ib0: transport mode connected: Operation not permitted"));
        EXPECT_EQ(kernel.writes, 0U);
        EXPECT_FALSE(out.applied.connected_refused);
    }
    kernel.no_change = EBUSY;
    const auto out = settle();
    EXPECT_THAT(failures(out.applied), ElementsAre("interface 4: MTU 65520: Device or resource busy"));
    EXPECT_THAT(out.applied.done, SizeIs(1));
}

TEST_F(LinkTest, PlanIsMadeAgainForTheModeInEffect)
{
    const auto out = settle();
    EXPECT_EQ(out.link->mode, TransportMode::connected);
    EXPECT_EQ(out.link->mtu, 65520U);
    EXPECT_THAT(out.plan.changes, IsEmpty());
    tree.file("class/net/ib0/mode", "datagram\n");
    intent.mtu = 2000;
    const FakeCalls fake(each_write(EINVAL));
    const auto refused = settle();
    EXPECT_EQ(refused.link->mtu, 2000U) << "the MTU of the profile, in the other mode";
    EXPECT_THAT(refused.plan.changes, IsEmpty());
    EXPECT_FALSE(refused.applied.connected_refused);
}

TEST_F(LinkTest, InterfaceThatVanishesMeanwhileIsInNoLaterPlan)
{
    auto facts = kernel.model().facts();
    for (auto &l : facts.links) l.features = {{tso, true, true}};
    FakeKernel other{facts, {}};
    auto p = *Probe::open({other.tree.path(), state, other.tree.path("devices-of-nm")});
    policy.quirks = {lso_quirk()};
    intent = {.ifindex = 4, .profile = "office"};
    other.at_change = [&] { other.model().remove(5); };
    const auto out = plan_and_apply(p, state, intent, policy);
    ASSERT_TRUE(out);
    EXPECT_THAT(out->applied.done, SizeIs(1));
    EXPECT_THAT(out->applied.failures, IsEmpty());
    EXPECT_THAT(out->plan.changes, IsEmpty());
}

TEST_F(LinkTest, RefusedDatagramModeIsAFailureAndAVanishedInterfaceIsNone)
{
    tree.file("class/net/ib0/mode", "connected\n");
    intent = {.ifindex = 4, .profile = "office", .mode = TransportMode::datagram, .mtu = 2044};
    const FakeCalls fake(each_write(EBUSY));
    const auto out = settle();
    EXPECT_THAT(failures(out.applied), ElementsAre("ib0: transport mode datagram: Device or resource busy"));
    EXPECT_FALSE(out.applied.connected_refused);
    Plan gone;
    gone.changes = {SetMode{9, ifname("ib9"), TransportMode::datagram},
                    SetMtu{9, ifname("ib9"), 2044, TransportMode::datagram}};
    const auto applied = apply(probe, state, gone);
    EXPECT_THAT(failures(applied), IsEmpty());
    EXPECT_THAT(applied.done, IsEmpty());
}

TEST_F(LinkTest, ChangeWithoutAnEffectIsNotReported)
{
    Plan same;
    same.changes = {SetMtu{4, ib0, 4092, TransportMode::datagram}};
    const auto applied = apply(probe, state, same);
    EXPECT_THAT(applied.done, IsEmpty());
    EXPECT_EQ(applied.idle, 1U);
    EXPECT_EQ(applied.ceiling, Mtu{2044});
    same.changes = {SetMtu{4, ib0, 2000, TransportMode::datagram}};
    const auto lower = apply(probe, state, same);
    EXPECT_EQ(lower.idle, 0U);
    EXPECT_EQ(lower.ceiling, std::nullopt);
    EXPECT_EQ(tree.content("run/mtu-ib0"), "4\ndatagram 2044 3\n");
    ASSERT_THAT(lower.done, SizeIs(1));
    EXPECT_EQ(std::get<SetMtu>(lower.done[0]).at_most, 2000U);
}

TEST_F(LinkTest, CeilingIsRememberedWithItsCarrier)
{
    intent = {.ifindex = 4, .profile = "office", .mtu = 4092};
    intent.mtu_is_settled = intent.mtu_was_requested = true; // by NetworkManager
    (void)settle();
    EXPECT_EQ(tree.content("run/mtu-ib0"), "4\ndatagram 2044 3\n");
    tree.remove("run");
    intent.mtu = 2044;
    (void)settle();
    EXPECT_EQ(tree.content("run/mtu-ib0"), "") << "granted";
    intent.mtu = 4092;
    intent.mtu_is_settled = intent.mtu_was_requested = false;
    tree.remove("class/net/ib0/carrier_changes");
    const auto out = settle();
    EXPECT_EQ(tree.content("run/mtu-ib0"), "") << "without a counter the ceiling would be valid forever";
    EXPECT_EQ(codes(out.plan), std::vector<std::string>{"mtu-limited"_id}) << "known in this call";
    EXPECT_EQ(kernel.writes, 1U);
}

TEST_F(LinkTest, OnlyConnectedModeOfAQuirkIsTriedAhead)
{
    intent.mtu = 65520;
    EXPECT_THAT(settle(Use::ahead).applied.done, IsEmpty()) << "NetworkManager's";
    Quirk quirk;
    quirk.name = "try";
    quirk.match.driver = "mlx4_core";
    quirk.try_connected = true;
    policy.quirks = {quirk};
    {
        const FakeCalls fake([&](std::string_view call, const std::string &what) {
            return call == "write" && what.ends_with("/ib0/mode") && kernel.downs == 0 ? EINVAL : pass;
        });
        const auto out = settle(Use::ahead);
        EXPECT_EQ(text(out.applied.done, policy), std::vector<std::string>{"ib0: transport mode set to connected"});
        EXPECT_EQ(kernel.downs, 1U);
    }
    intent.mode = TransportMode::datagram;
    EXPECT_THAT(settle(Use::ahead).applied.done, IsEmpty());
    EXPECT_EQ(link().mode, TransportMode::connected);
    intent.mode = TransportMode::connected;
    tree.file("class/net/ib0/mode", "datagram\n");
    const FakeCalls fake(each_write(EINVAL));
    const auto out = settle(Use::ahead);
    EXPECT_EQ(codes(out.plan), std::vector<std::string>{"connected-impossible"_id});
    EXPECT_THAT(out.applied.failures, IsEmpty());
}

TEST_F(LinkTest, QuietLinesHaveFindingsOnlyBesideAChange)
{
    intent = {.ifindex = 4, .profile = "office", .mtu = 4092};
    intent.mtu_is_settled = true;
    const auto out = settle();
    EXPECT_THAT(lines(out, policy, false), SizeIs(1));
    EXPECT_EQ(lines(out, policy, false)[0].first, Severity::warning);
    EXPECT_THAT(lines(out, policy, true), IsEmpty());
    auto failed = out;
    failed.applied.failures = {{Error::Kind::io, "failed"}};
    EXPECT_EQ(lines(failed, policy, true)[0], (std::pair{Severity::error, std::string("failed")}));
    EXPECT_THAT(lines(failed, policy, true), SizeIs(2));
    auto changed = out;
    changed.plan.findings.push_back({.kind = find_kind("quirk-already"), .link = ib0});
    EXPECT_THAT(findings(changed), SizeIs(2));
    changed.applied.done = {SetMtu{4, ib0, 2044, TransportMode::datagram}};
    EXPECT_THAT(findings(changed), SizeIs(2));
    changed.applied.done = {SetFeature{4, ib0, tso, false, 0}};
    EXPECT_THAT(findings(changed), SizeIs(1));
}

TEST_F(LinkTest, StateIsKeptInItsDirectoryOrAnErrorReturned)
{
    ASSERT_TRUE(keep_state(state, state_logged, ib0, 4, "a\n"));
    EXPECT_EQ(tree.content("run/logged-ib0"), "4\na\n");
    ASSERT_TRUE(keep_state(state, state_mtu, ib0, 4, ""));
    struct stat st {
    };
    for (const auto &[name, mode] : {std::pair("run/logged-ib0", 0600U), {"run/mtu-ib0", 0644U}}) {
        ASSERT_EQ(::stat(tree.path(name).c_str(), &st), 0);
        EXPECT_EQ(st.st_mode & 07777U, mode) << name;
    }
    ASSERT_TRUE(keep_state(state, state_rdma, 4, "b\n"));
    EXPECT_EQ(tree.content("run/rdma-4"), "b\n");
    tree.remove("run");
    tree.file("run", "");
    for (const auto &r : {keep_state(state, state_logged, ib0, 4, ""), keep_state(state, state_rdma, 4, "")})
        EXPECT_EQ(r.error().what, state + ": Not a directory");
}

} // namespace
} // namespace nmib
