// SPDX-License-Identifier: LGPL-2.1-or-later
// Random stories on a modelled daemon and kernel, beside the same daemon and kernel without the plugin. After each
// event both are compared.
#include "plugin/guest_story.hpp"
#include "plugin/story_promises.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

namespace nmib
{
namespace
{

using namespace test;

/// Both machines. One pair plays all stories, because a tree of files is slow to make.
class Stage
{
public:
    /// Plays the story until something is unexplained. Returns its kind, or nothing.
    std::string play(const DeviceStory &story, std::ostream *out = nullptr)
    {
        set_up(story.world);
        if (out) *out << "  " << words(story.world) << "\n";
        for (const auto &e : story.events) {
            Step s{.world = story.world, .event = e, .before = see(*ours_)};
            const auto lines = ours_->lines.size();
            if (!is_possible(*ours_, e)) continue;
            for (auto *d : {ours_.get(), alone_.get()}) happen(*d, e);
            if (is_group(e.kind)) group_ = e.mtu;
            s.ours = see(*ours_), s.alone = see(*alone_);
            remember(s);
            if (out) print(s, lines, *out);
            if (auto kind = judge(s); !kind.empty()) return kind;
            if (!(s.ours == s.alone)) alone_->copy(*ours_); // each event is judged alone
        }
        return "";
    }

    /// Prints the story for the guest, and after each event what must be seen there: alone, and with the plugin.
    /// Returns false if the guest cannot play the story.
    bool print_for_guest(DeviceStory story, std::ostream &out)
    {
        const auto lines = guest_story(story);
        if (!lines) return false;
        set_up(story.world);
        for (std::size_t i = 0; i < lines->size(); i++) {
            for (const auto &line : (*lines)[i]) out << line << "\n";
            for (auto *d : {alone_.get(), ours_.get()}) {
                if (i && is_possible(*d, story.events[i - 1])) happen(*d, story.events[i - 1]);
                out << (d == alone_.get() ? "# alone: " : "# plugin: ") << words(see(*d)) << "\n";
            }
        }
        return true;
    }

private:
    void set_up(const StoryWorld &w)
    {
        std::map<int, KernelModel::Limits> limits;
        for (const int i : {4, 5}) limits[i] = {w.port, w.group, w.cm, w.refuses_connected};
        alone_kernel_.reset(facts_of(w), limits);
        kernel_.reset(facts_of(w), limits);
        Policy policy;
        if (w.quirk) policy.quirks = {lso_quirk()};
        if (w.strict) policy.connected_impossible = Policy::Impossible::fail;
        ours_ = std::make_unique<FakeDaemon>(kernel_, w.child ? 5 : 4, policy);
        alone_ = std::make_unique<FakeDaemon>(alone_kernel_, w.child ? 5 : 4, policy, /*has_plugin=*/false);
        past_ = {};
        scripted_for_.reset();
        group_ = w.group;
    }

    static bool is_possible(FakeDaemon &d, const Event &e)
    {
        const bool carrier = d.link().carrier;
        const bool managed = d.is_active() && !d.device.applied->external;
        switch (e.kind) {
        case Event::up:
        case Event::lose:
        case Event::rejoin: return carrier;
        case Event::down: return d.is_active();
        case Event::restart: return managed && carrier;
        case Event::reapply_mtu:
        case Event::reapply_address:
        case Event::echo:
        case Event::advertise: return managed;
        default: return true;
        }
    }

    static void happen(FakeDaemon &d, const Event &e)
    {
        switch (e.kind) {
        case Event::up: d.activate(e.profile); break;
        case Event::down: d.deactivate(); break;
        case Event::restart: d.restart(); break;
        case Event::reapply_mtu: d.reapply(e.mtu); break;
        case Event::reapply_address: d.touch(); break;
        case Event::echo: d.reapply(*d.device.applied->asks.mtu); break;
        case Event::advertise: d.advertise(e.mtu); break;
        case Event::lose: d.device.believed_carrier = e.unnoticed, d.lose_carrier(); break;
        case Event::join: d.device.believed_carrier = true, d.join(e.mtu); break;
        case Event::rejoin: d.rejoin(e.mtu); break;
        case Event::mtu_by_hand: d.set_mtu(e.mtu); break;
        case Event::mode_by_hand: d.set_mode(e.mode); break;
        case Event::ip6_by_hand: d.set_ip6_mtu(e.mtu); break;
        }
        d.wait();
    }

    /// Fills in what the promises depend on.
    void remember(Step &s)
    {
        const auto kind = s.event.kind;
        const auto &p = ours_->device.applied;
        const bool is_other_mtu = kind == Event::reapply_mtu && p->asks.mtu != mtu_;
        mtu_ = p ? p->asks.mtu : std::nullopt;
        if (kind == Event::up) past_ = {};
        // A restart of the daemon does not end a change by hand.
        if (kind == Event::restart) past_ = {.assumed = true, .maybe_by_hand = past_.maybe_by_hand};
        if (is_other_mtu) past_ = {.maybe_by_hand = past_.maybe_by_hand};
        if (kind == Event::reapply_address) past_.assumed = false;
        if (kind == Event::up) {
            past_.by_hand = (s.alone.active ? *alone_ : *ours_).script_changed_mtu();
            const auto &profile = s.event.profile;
            // changes.md: an MTU that a script sets in each activation. It stays, although later stories have no
            // script.
            if (profile.asks.profile != scripted_for_) scripted_for_.reset();
            if (profile.script_mtu) scripted_for_ = profile.asks.profile;
            past_.maybe_by_hand = scripted_for_.has_value() || ours_->carrier_changed_mtu();
        }
        if (kind == Event::mtu_by_hand || kind == Event::mode_by_hand) {
            past_.maybe_by_hand = true;
            if (s.alone.mtu != s.before.mtu || s.alone.mode != s.before.mode)
                past_.by_hand = true, past_.by_hand_is_over = false;
            past_.like_the_kernels |= mtu::follows_group(s.before.mtu, s.alone.mtu);
        }
        if (past_.by_hand && !is_group(kind) && s.alone.mtu == mtu_) past_.by_hand_is_over = true;
        // A request that the group's limit hid comes to light, and counts as made by hand.
        past_.maybe_by_hand |= (kind == Event::join || kind == Event::rejoin) && s.alone.mtu > s.before.mtu &&
                               !mtu::is_group_limit(s.alone.mtu);
        s.profile = p ? &*p : nullptr;
        s.past = past_;
        s.group = group_;
        s.reported = std::any_of(ours_->lines.begin(), ours_->lines.end(), [&](const auto &line) {
            const auto has = [&](Mtu mtu) { return line.second.find(std::to_string(mtu)) != std::string::npos; };
            return mtu_ && has(*mtu_) && has(s.ours.mtu);
        });
    }

    static bool is_group(Event::Kind kind) { return kind == Event::join || kind == Event::rejoin; }

    void print(const Step &s, std::size_t first_line, std::ostream &out)
    {
        out << "  " << words(s.event) << "\n      " << words(s.ours) << "\n";
        if (!(s.ours == s.alone)) out << "      " << words(s.alone) << " (NetworkManager alone)\n";
        for (auto i = first_line; i < ours_->lines.size(); i++) out << "      | " << ours_->lines[i].second << "\n";
    }

    static Seen see(FakeDaemon &d)
    {
        const auto &facts = std::as_const(d.kernel().model()).facts();
        const auto &l = *facts.find(d.device.ifindex());
        const auto &other = facts.links[l.is_child() ? 0 : 1];
        return {d.is_active(), l.mode, l.mtu, d.ip6_mtu(), l.features[0].requested, other.features[0].requested,
                l.carrier};
    }

    FakeKernel alone_kernel_{facts_of({}), {}, /*has_files=*/false};
    FakeKernel kernel_{facts_of({}), {}}; // after the other one: the plugin's requests reach this one
    std::unique_ptr<FakeDaemon> ours_, alone_;
    Step::Past past_{};
    std::optional<std::string> scripted_for_{}; ///< the profile in whose activation a script ran
    std::optional<Mtu> mtu_;                    ///< of the applied profile
    Mtu group_ = 0;
};

/// Leaves out events while the kind stays the same.
DeviceStory shrunk(Stage &stage, DeviceStory story, const std::string &kind)
{
    for (std::size_t i = 0; i < story.events.size();) {
        auto shorter = story;
        shorter.events.erase(shorter.events.begin() + static_cast<std::ptrdiff_t>(i));
        if (stage.play(shorter) == kind)
            story = std::move(shorter), i = 0;
        else
            i++;
    }
    return story;
}

#ifdef SANITIZED
constexpr unsigned all_stories = 5000;
#else
constexpr unsigned all_stories = 100000;
#endif

TEST(Stories, EachDifferenceFromNetworkManagerAloneIsPromised)
{
    constexpr unsigned first = 20261128;
    const char *number = std::getenv("NMIB_STORIES");
    const unsigned stories = number ? static_cast<unsigned>(std::atoi(number)) : all_stories;
    Stage stage;
    std::map<std::string, unsigned> kinds;
    for (unsigned seed = first; seed < first + stories; seed++) {
        const auto story = random_story(seed);
        const auto kind = stage.play(story);
        if (kind.empty() || kinds[kind]++ > 0) continue;
        std::cout << "\n" << kind << "\n seed " << seed << ":\n";
        stage.play(story, &std::cout);
        std::cout << " shrunk:\n";
        stage.play(shrunk(stage, story, kind), &std::cout);
    }
    std::cout << "\n";
    for (const auto &[kind, count] : kinds) std::cout << count << " of " << stories << " stories: " << kind << "\n";
    EXPECT_TRUE(kinds.empty());
}

/// For tests/lab/compare_stories --model, which names the seeds; otherwise nothing is printed.
TEST(Stories, PrintedForTheGuest)
{
    const char *seeds = std::getenv("NMIB_STORIES_PRINT");
    unsigned first = 0, last = 0, playable = 0;
    char dash = 0;
    std::istringstream(seeds ? seeds : "20261128-20261227") >> first >> dash >> last;
    Stage stage;
    for (unsigned seed = first; seed <= last; seed++) {
        std::ostringstream text;
        if (!stage.print_for_guest(random_story(seed), text)) continue;
        playable++;
        EXPECT_TRUE(text.str().starts_with("fabric ")) << seed;
        if (seeds) std::cout << "seed " << seed << "\n" << text.str() << "\n";
    }
    EXPECT_TRUE(seeds || playable >= 20) << playable << " of 100 stories";
}

} // namespace
} // namespace nmib
