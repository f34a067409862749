// SPDX-License-Identifier: LGPL-2.1-or-later
// The plugin's activation on a modelled daemon and kernel.
#include "abi.hpp"
#include "fake_daemon.hpp"
#include "make.hpp"
#include "random_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <set>

namespace nmib
{
namespace
{

using namespace test;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr auto connected = TransportMode::connected, datagram = TransportMode::datagram;

Facts one_port(bool rc_capable)
{
    Facts f{{}, {port_link(4, "ib0"), child_link(5, "ib0.8002", 4, 0x8002)}};
    for (auto &l : f.links) {
        l.features = {{tso, true, true}};
        l.address = address(rc_capable);
    }
    return f;
}

FakeProfile profile(TransportMode mode, Mtu mtu, std::string uuid = "u1")
{
    return {std::move(uuid), {.profile = "office", .mode = mode, .mtu = mtu}};
}

struct OneActivation : testing::Test {
    explicit OneActivation(bool rc_capable = true) : kernel(one_port(rc_capable), {}) {}

    /// The number of logged lines with these words.
    long logged(const std::string &words)
    {
        return std::count_if(daemon.lines.begin(), daemon.lines.end(),
                             [&](const auto &l) { return l.second.find(words) != std::string::npos; });
    }

    FakeKernel kernel;
    FakeDaemon daemon{kernel, 4, {.quirks = {lso_quirk()}}};
    Policy &policy = daemon.configuration.policy;
};

struct OneActivationWithoutRc : OneActivation {
    OneActivationWithoutRc() : OneActivation(false) {}
};

TEST_F(OneActivation, ActivationAppliesModeMtuAndQuirk)
{
    ASSERT_TRUE(daemon.activate(profile(connected, 65520)));
    EXPECT_EQ(daemon.link().mode, connected);
    EXPECT_EQ(daemon.link().mtu, 65520U);
    EXPECT_FALSE(daemon.link().features[0].requested);
    EXPECT_EQ(daemon.device.word, "connected");
    EXPECT_EQ(logged("switched off"), 1);
}

TEST_F(OneActivation, GroupLimitIsLoggedAndTheKernelRaisesTheMtu)
{
    ASSERT_TRUE(daemon.activate(profile(datagram, 4092)));
    EXPECT_EQ(logged("2044"), 1);
    EXPECT_THAT(kernel.tree.content("run/mtu-ib0"), HasSubstr("datagram 2044")) << "for nm-ib plan and doctor";
    daemon.join(4092);
    daemon.wait();
    EXPECT_EQ(daemon.link().mtu, 4092U);
    EXPECT_EQ(logged("2044"), 1);
    daemon.join(2044);
    daemon.wait();
    EXPECT_EQ(daemon.link().mtu, 2044U);
}

TEST_F(OneActivation, RefusedMtuBecomesTheHighestPossible)
{
    daemon.join(4092);
    daemon.set_mtu(1500);
    ASSERT_TRUE(daemon.activate(profile(datagram, 65520)));
    EXPECT_EQ(daemon.link().mtu, 4092U);
    EXPECT_EQ(logged("MTU 65520 was requested, 4092 is in effect"), 1);
}

TEST_F(OneActivation, CorrectedMtuStaysWhenTheGroupAllowsMore)
{
    ASSERT_TRUE(daemon.activate(profile(datagram, 4092)));
    daemon.reapply(2044);
    daemon.wait();
    daemon.join(4092);
    daemon.wait();
    EXPECT_EQ(daemon.link().mtu, 2044U);
}

TEST_F(OneActivation, ProfileThatOptsOutByReapplyIsIgnored)
{
    ASSERT_TRUE(daemon.activate(profile(datagram, 2044)));
    daemon.device.applied->asks.skip = true;
    daemon.touch();
    daemon.join(4092);
    const auto writes = kernel.writes;
    daemon.wait();
    EXPECT_EQ(kernel.writes, writes);
}

TEST_F(OneActivation, MtuSetByHandStaysAfterAFlap)
{
    daemon.join(4092);
    for (const Mtu asked : {0U, 2044U, 4092U}) {
        ASSERT_TRUE(daemon.activate(profile(datagram, asked)));
        daemon.set_mtu(1500);
        daemon.wait();
        daemon.join(4092);
        daemon.wait();
        EXPECT_EQ(daemon.link().mtu, 1500U) << asked;
    }
    EXPECT_EQ(logged("1500"), 0);
}

TEST_F(OneActivation, AutomaticMtuKeepsTheKernelMtu)
{
    daemon.join(4092);
    daemon.set_mtu(1500);
    ASSERT_TRUE(daemon.activate(profile(datagram, 0)));
    EXPECT_EQ(daemon.link().mtu, 1500U);
}

TEST_F(OneActivation, AssumedActivationKeepsModeAndMtu)
{
    daemon.join(4092);
    daemon.set_mtu(1500);
    ASSERT_TRUE(daemon.activate(profile(connected, 65520), /*assumed=*/true));
    daemon.join(4092);
    daemon.wait();
    EXPECT_EQ(daemon.link().mtu, 1500U);
    EXPECT_EQ(daemon.link().mode, datagram);
    EXPECT_FALSE(daemon.link().features[0].requested);
}

TEST_F(OneActivationWithoutRc, ConnectedModeFallsBackAndTheProfileIsKept)
{
    ASSERT_TRUE(daemon.activate(profile(connected, 0)));
    EXPECT_EQ(daemon.link().mode, datagram);
    EXPECT_EQ(daemon.device.word, "connected");
    EXPECT_EQ(logged("connected mode, which is not possible"), 1);
}

TEST_F(OneActivationWithoutRc, StoredProfileIsNotOverridden)
{
    daemon.device.applies_stored = true;
    EXPECT_FALSE(daemon.activate(profile(connected, 0))) << "as with NetworkManager alone";
    EXPECT_EQ(daemon.device.word, "connected");
    EXPECT_THAT(
        daemon.lines,
        Contains(Pair(Severity::error,
                      HasSubstr("does not let the plugin override the mode: the activation fails in connected mode"))));
}

TEST_F(OneActivation, ReapplyWithoutASignalIsReportedAndCounts)
{
    daemon.join(4092);
    ASSERT_TRUE(daemon.activate(profile(datagram, 4092)));
    daemon.device.replaced = true;
    daemon.device.applied->asks.mtu = 65520;
    daemon.set_mtu(1500);
    daemon.wait();
    EXPECT_EQ(logged("another version of the profile without a signal"), 1);
    EXPECT_EQ(logged("MTU 65520 was requested, 1500 is in effect"), 1);
}

TEST_F(OneActivationWithoutRc, StrictPolicyLetsNetworkManagerFail)
{
    policy.connected_impossible = Policy::Impossible::fail;
    EXPECT_FALSE(daemon.activate(profile(connected, 65520)));
    EXPECT_EQ(kernel.downs, 0U);
    EXPECT_EQ(daemon.device.word, "connected");
    EXPECT_THAT(daemon.lines, Contains(Pair(Severity::error, HasSubstr("the activation fails"))));
    // Errors are logged each time.
    EXPECT_FALSE(daemon.activate(profile(connected, 65520)));
    EXPECT_EQ(logged("the activation fails"), 2);
}

TEST_F(OneActivation, WrongPartitionIsLoggedAndComesUp)
{
    auto wrong = profile(datagram, 0);
    wrong.asks.p_key = 0x8002;
    EXPECT_TRUE(daemon.activate(wrong));
    EXPECT_EQ(logged("wrong partition"), 1);
    EXPECT_FALSE(daemon.link().features[0].requested);
}

TEST_F(OneActivation, TryQuirkTriesConnectedModeFirst)
{
    Quirk maybe;
    maybe.name = "maybe";
    maybe.try_connected = true;
    daemon.refuse_modes();
    EXPECT_FALSE(daemon.activate(profile(connected, 0))); // NetworkManager tried, and failed
    EXPECT_EQ(kernel.downs, 0U);
    policy.quirks.push_back(maybe);
    EXPECT_TRUE(daemon.activate(profile(connected, 0)));
    EXPECT_EQ(kernel.downs, 1U);
    EXPECT_EQ(logged("connected mode, which is not possible"), 1);
}

TEST_F(OneActivation, SecondActivationLogsNoRepeats)
{
    ASSERT_TRUE(daemon.activate(profile(datagram, 4092)));
    EXPECT_EQ(logged("2044"), 1);
    const auto first = daemon.lines.size();
    for (int i = 0; i < 2; i++) ASSERT_TRUE(daemon.activate(profile(datagram, 4092)));
    EXPECT_EQ(daemon.lines.size(), first);
    ASSERT_TRUE(daemon.activate(profile(datagram, 4092, "another")));
    EXPECT_EQ(logged("2044"), 2);
}

TEST_F(OneActivation, NextActivationStartsWithoutEarlierResults)
{
    ASSERT_TRUE(daemon.activate(profile(datagram, 4092)));
    EXPECT_EQ(logged("switched off"), 1);
    EXPECT_EQ(logged("already"), 0); // logged before
    ASSERT_TRUE(daemon.activate(profile(datagram, 4092, "another")));
    EXPECT_EQ(logged("already"), 1);
}

TEST_F(OneActivation, UnreadableFactIsLoggedAndReadAgain)
{
    kernel.no_features = EMFILE;
    ASSERT_TRUE(daemon.activate(profile(datagram, 0)));
    EXPECT_EQ(logged("Too many open files"), 1);
    EXPECT_TRUE(daemon.device.timer);
    kernel.no_features = 0;
    daemon.wait();
    EXPECT_FALSE(daemon.link().features[0].requested);
    kernel.model().set_feature(4, tso, true);
    kernel.no_features = EMFILE;
    daemon.lines.clear();
    ASSERT_TRUE(daemon.activate(profile(datagram, 0)));
    daemon.lines.clear();
    daemon.deactivate();
    EXPECT_EQ(logged("Too many open files"), 0); // logged in this activation
}

TEST_F(OneActivation, ActivationInWhichNothingCouldBeReadIsMadeUpForLater)
{
    kernel.no_answer = EMFILE;
    ASSERT_TRUE(daemon.activate(profile(datagram, 4092)));
    EXPECT_TRUE(daemon.device.timer);
    kernel.no_answer = 0;
    daemon.wait();
    EXPECT_FALSE(daemon.link().features[0].requested);
    EXPECT_EQ(logged("explicitly"), 0) << "the profile names no offload";
    EXPECT_EQ(logged("MTU 4092 was requested"), 1);
}

TEST_F(OneActivation, QuirkThatCouldNotBeWrittenIsNotBlamedOnTheProfile)
{
    kernel.no_change = EBUSY;
    ASSERT_TRUE(daemon.activate(profile(datagram, 0)));
    EXPECT_EQ(logged("explicitly"), 0);
    EXPECT_GE(logged("busy"), 1);
}

TEST_F(OneActivation, SkippedAndExternalProfilesAreIgnored)
{
    auto skip = profile(datagram, 1500), external = profile(datagram, 1500);
    skip.asks.skip = external.external = true;
    policy.debug = true;
    for (const auto &p : {skip, external}) {
        const auto before = kernel.writes;
        ASSERT_TRUE(daemon.activate(p));
        daemon.join(4092);
        daemon.wait();
        daemon.deactivate();
        EXPECT_EQ(kernel.writes, before);
    }
    EXPECT_TRUE(daemon.link().features[0].requested);
    EXPECT_EQ(logged("the profile has rdma.skip yes"), 1);
    EXPECT_EQ(logged("the connection is external"), 1);
    EXPECT_EQ(std::count_if(daemon.lines.begin(), daemon.lines.end(),
                            [](const auto &l) { return l.first != Severity::debug; }),
              0);
}

/// Random events of one device, and properties that always hold.
class Story
{
public:
    /// @param forgetful each activation has a new Activation: earlier state must make no difference
    Story(unsigned seed, bool forgetful) : random_(seed), forgetful_(forgetful)
    {
        Policy policy{.quirks = {lso_quirk()}};
        if (random_.chance(20)) policy.connected_impossible = Policy::Impossible::fail;
        if (random_.chance(30)) {
            policy.quirks.emplace_back();
            policy.quirks.back().name = "maybe";
            policy.quirks.back().try_connected = true;
        }
        const bool child = random_.chance(30);
        std::map<int, KernelModel::Limits> limits;
        for (const int i : {4, 5}) limits[i] = {.group = random_.of(groups), .refuses_connected = random_.chance(15)};
        kernel_ = std::make_unique<FakeKernel>(one_port(rc_), limits);
        daemon_ = std::make_unique<FakeDaemon>(*kernel_, child ? 5 : 4, policy);
        if (random_.chance(15)) daemon_->refuse_modes();
    }

    /// Each event, and its result.
    std::vector<std::string> play(unsigned events)
    {
        while (events-- > 0) {
            auto event = happen();
            if (is_free_) daemon_->wait();
            check_invariants(event);
            trace_.push_back(event + ": " + world());
        }
        return std::move(trace_);
    }

private:
    static inline const std::vector<Mtu> groups{2044, 4092}, mtus{0, 0, 1500, 2044, 4092, 65520};

    std::string happen()
    {
        auto &d = *daemon_;
        const bool is_ours = d.is_active() && !d.device.applied->external && !d.device.applied->asks.skip;
        switch (random_.below(d.is_active() ? 10 : 2)) {
        case 0:
        case 1: return activate();
        case 2: d.deactivate(); return "down";
        case 3: d.lose_carrier(); return "carrier lost";
        case 4:
            d.lose_carrier();
            // In the other order, an MTU of enhanced IPoIB looks like one that was set by hand.
            if (!rc_) d.wait();
            d.join(random_.of(groups));
            return "joined";
        case 5:
            by_hand_ = true;
            d.set_mtu(random_.of(groups));
            return "mtu by hand";
        case 6:
            if (!is_ours) return "nothing";
            asked_ = random_.of(mtus);
            if (asked_ != d.device.applied->asks.mtu) by_hand_ = false;
            d.reapply(asked_);
            return "reapply " + std::to_string(asked_);
        case 7:
            if (is_ours) d.touch();
            return "device modify";
        case 8: kernel_->no_features = random_.chance(50) ? EMFILE : 0; return "descriptors";
        default: d.wait(); return "a minute";
        }
    }

    std::string activate()
    {
        FakeProfile p;
        p.uuid = random_.chance(50) ? "u1" : "u2";
        p.asks.profile = p.uuid;
        p.asks.mode = random_.chance(50) ? connected : datagram;
        p.asks.mtu = asked_ = random_.of(mtus);
        if (random_.chance(10)) p.asks.p_key = 0x0002;
        p.asks.skip = random_.chance(10);
        p.external = random_.chance(10);
        const bool assumed = random_.chance(10);
        daemon_->deactivate();
        if (forgetful_) daemon_->forget();
        daemon_->lines.clear();
        by_hand_ = assumed; // the mode may differ from the profile
        const auto writes = kernel_->writes;
        const bool up = daemon_->activate(p, assumed);
        EXPECT_TRUE(kernel_->writes == writes || !(p.asks.skip || p.external));
        return (up ? "up " : "failed ") + p.uuid + " " + std::string(name(*p.asks.mode)) + " " + std::to_string(asked_);
    }

    void check_invariants(const std::string &event)
    {
        auto &d = *daemon_;
        std::multiset<std::string> said;
        for (const auto &[severity, line] : d.lines)
            if (severity > Severity::note) said.insert(line);
        for (const auto &line : said) EXPECT_EQ(said.count(line), 1U) << event << ": " << line;
        if (!d.is_active()) {
            EXPECT_FALSE(d.device.listening || d.device.timer) << event;
            return;
        }
        const auto &applied = *d.device.applied;
        EXPECT_EQ(d.device.word, name(*applied.asks.mode)) << event;
        if (applied.external || applied.asks.skip) {
            EXPECT_FALSE(d.device.listening || d.device.timer) << event;
            return;
        }
        EXPECT_EQ(*applied.asks.mtu, asked_) << event; // never changed
        if (d.device.timer) return;                    // not finished
        EXPECT_TRUE(kernel_->no_features != 0 || !d.link().features[0].requested) << event;
        if (by_hand_ || !d.link().carrier || asked_ < mtu::ipv6_minimum) return;
        EXPECT_LE(d.link().mtu, asked_) << event;
    }

    std::string world()
    {
        const auto &l = daemon_->link();
        return std::string(name(l.mode)) + " " + std::to_string(l.mtu) + (l.carrier ? " carrier" : "") +
               (l.features[0].requested ? " tso" : "");
    }

    Random random_;
    bool forgetful_, rc_ = random_.chance(75);
    bool is_free_ = random_.chance(80); ///< events come one at a time
    std::unique_ptr<FakeKernel> kernel_;
    std::unique_ptr<FakeDaemon> daemon_;
    Mtu asked_ = 0;
    bool by_hand_ = false;
    std::vector<std::string> trace_;
};

TEST(Activations, RandomEventsKeepTheInvariants)
{
#ifdef SANITIZED
    constexpr unsigned stories = 100;
#else
    constexpr unsigned stories = 400;
#endif
    for (unsigned seed = 1; seed <= stories && !testing::Test::HasFailure(); seed++) {
        SCOPED_TRACE(seed);
        EXPECT_EQ(Story(seed, false).play(12), Story(seed, true).play(12));
    }
}

} // namespace
} // namespace nmib
