// SPDX-License-Identifier: LGPL-2.1-or-later
// Properties of every plan, in many thousand worlds from fixed seeds.
#include "kernel_model.hpp"
#include "make.hpp"
#include "random_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace nmib
{
namespace
{

using namespace test;

constexpr unsigned worlds = 10000;

KernelModel random_kernel(const Facts &facts, unsigned seed)
{
    Random r(seed + 77);
    std::map<int, KernelModel::Limits> limits;
    for (const auto &l : facts.links) {
        const auto datagram = mtu::rungs(TransportMode::datagram), connected = mtu::rungs(TransportMode::connected);
        KernelModel::Limits limit;
        limit.port = datagram[r.below(5)];
        limit.group = std::min(limit.port, datagram[r.below(7)]);
        limit.cm = connected[r.chance(50) ? 0 : r.below(16)];
        limit.refuses_connected = r.chance(15);
        limits[l.ifindex] = limit;
    }
    auto known = facts;
    for (auto &l : known.links)
        if (const auto &limit = limits[l.ifindex]; r.chance(40))
            l.mtu_ceiling = l.mode == TransportMode::connected ? limit.cm : limit.group;
    return {std::move(known), std::move(limits)};
}

template<class Check> void in_every_world(Check check)
{
    for (unsigned seed = 0; seed < worlds && !testing::Test::HasFailure(); seed++) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        check(random_world(seed), seed);
    }
}

TEST(PlanProperty, SameInputGivesTheSamePlan)
{
    in_every_world([](const RandomWorld &w, unsigned) {
        EXPECT_EQ(dump(plan(w.facts, w.intent, w.policy)), dump(plan(w.facts, w.intent, w.policy)));
    });
}

TEST(PlanProperty, OrderOfTheLinksDoesNotMatter)
{
    in_every_world([](const RandomWorld &w, unsigned seed) {
        auto shuffled = w.facts;
        std::shuffle(shuffled.links.begin(), shuffled.links.end(), std::mt19937(seed));
        shuffled.sort();
        EXPECT_EQ(dump(plan(shuffled, w.intent, w.policy)), dump(plan(w.facts, w.intent, w.policy)));
    });
}

TEST(PlanProperty, ChangesNameOnlyExistingInterfaces)
{
    in_every_world([](const RandomWorld &w, unsigned) {
        const auto p = plan(w.facts, w.intent, w.policy);
        for (const auto &c : p.changes)
            std::visit(
                [&](const auto &change) {
                    const auto *l = w.facts.find(change.ifindex);
                    ASSERT_NE(l, nullptr);
                    EXPECT_EQ(l->name, change.link);
                    EXPECT_TRUE(l->ifindex == w.intent.ifindex || l->parent == w.intent.ifindex);
                },
                c);
        for (const auto &f : p.findings) EXPECT_EQ(f.link, w.facts.find(w.intent.ifindex)->name);
    });
}

TEST(PlanProperty, ChangesAreModeThenMtuThenFeaturesWithoutRepeats)
{
    in_every_world([](const RandomWorld &w, unsigned) {
        const auto p = plan(w.facts, w.intent, w.policy);
        const auto before = [](const Change &a, const Change &b) { return a.index() < b.index(); };
        EXPECT_TRUE(std::is_sorted(p.changes.begin(), p.changes.end(), before));
        auto words = changes(p);
        std::sort(words.begin(), words.end());
        EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
    });
}

TEST(PlanProperty, FeatureChangesOnlyByAMatchingQuirkAndNeverAgainstTheProfile)
{
    unsigned changed = 0;
    in_every_world([&](const RandomWorld &w, unsigned) {
        for (const auto &c : plan(w.facts, w.intent, w.policy).changes) {
            const auto *f = std::get_if<SetFeature>(&c);
            if (!f) continue;
            changed++;
            ASSERT_LT(f->quirk, w.policy.quirks.size());
            const auto &q = w.policy.quirks[f->quirk];
            const auto &link = *w.facts.find(f->ifindex);
            EXPECT_TRUE(matches(q, w.facts, link));
            EXPECT_TRUE(std::any_of(q.features.begin(), q.features.end(),
                                    [&](const auto &s) { return s.name == f->feature && s.on == f->on; }));
            EXPECT_NE(std::find(link.features.begin(), link.features.end(), Feature{f->feature, true, !f->on}),
                      link.features.end());
            EXPECT_FALSE(std::any_of(w.intent.features.begin(), w.intent.features.end(),
                                     [&](const auto &a) { return a.name == f->feature && a.on != f->on; }));
        }
    });
    EXPECT_GT(changed, worlds / 10);
}

TEST(PlanProperty, EveryTextIsOneLineWithoutPlaceholders)
{
    in_every_world([](const RandomWorld &w, unsigned) {
        const auto p = plan(w.facts, w.intent, w.policy);
        auto lines = text(p.changes, w.policy);
        for (const auto &f : p.findings) lines.push_back(text(f));
        for (const auto &l : lines) {
            EXPECT_EQ(l.find_first_of("\n{}"), std::string::npos) << l;
            EXPECT_EQ(l.rfind(w.facts.find(w.intent.ifindex)->name.str().substr(0, 1), 0), 0U) << l;
        }
    });
}

TEST(PlanProperty, SecondPlanAfterApplyHasNoChanges)
{
    unsigned busy = 0, refused = 0;
    in_every_world([&](const RandomWorld &w, unsigned seed) {
        auto kernel = random_kernel(w.facts, seed);
        auto first = plan(kernel.facts(), w.intent, w.policy);
        busy += first.changes.empty() ? 0 : 1;
        if (!kernel.apply(first)) { // like plan_and_apply(): once more with the driver's refusal
            refused++;
            first = plan(kernel.facts(), w.intent, w.policy);
            EXPECT_TRUE(kernel.apply(first));
        }
        const auto second = plan(kernel.facts(), w.intent, w.policy);
        EXPECT_TRUE(second.changes.empty()) << "first:\n" << dump(first) << "second:\n" << dump(second);
    });
    EXPECT_GT(busy, worlds / 3);
    EXPECT_GT(refused, worlds / 200);
}

TEST(PlanProperty, FeatureSwitchedOffByAQuirkStaysOffInEveryMode)
{
    unsigned seen = 0;
    in_every_world([&](const RandomWorld &w, unsigned seed) {
        auto kernel = random_kernel(w.facts, seed);
        const auto p = plan(kernel.facts(), w.intent, w.policy);
        kernel.apply(p);
        for (const auto mode : {TransportMode::connected, TransportMode::datagram, TransportMode::connected}) {
            for (const auto &l : w.facts.links) (void)kernel.set_mode(l.ifindex, mode);
            for (const auto &c : p.changes)
                if (const auto *f = std::get_if<SetFeature>(&c); f && !f->on) {
                    seen++;
                    EXPECT_FALSE(kernel.active(*kernel.facts().find(f->ifindex), f->feature));
                }
        }
    });
    EXPECT_GT(seen, worlds / 10);
}

TEST(PlanProperty, ModeOfTheProfileIsReachedOrExplained)
{
    in_every_world([](const RandomWorld &w, unsigned seed) {
        auto kernel = random_kernel(w.facts, seed);
        if (!w.intent.mode || !kernel.facts().find(w.intent.ifindex)) return;
        auto p = plan(kernel.facts(), w.intent, w.policy);
        if (!kernel.apply(p)) kernel.apply(plan(kernel.facts(), w.intent, w.policy));
        p = plan(kernel.facts(), w.intent, w.policy);
        const auto &l = *kernel.facts().find(w.intent.ifindex);
        if (*w.intent.mode == TransportMode::connected && l.mode != TransportMode::connected) {
            EXPECT_TRUE(std::any_of(p.findings.begin(), p.findings.end(), [](const Finding &f) {
                return f.kind == find_kind("connected-impossible") || f.kind == find_kind("no-mode-file");
            }));
        }
        if (*w.intent.mode == TransportMode::datagram && l.mode_writable) {
            EXPECT_EQ(l.mode, TransportMode::datagram);
        }
    });
}

} // namespace
} // namespace nmib
