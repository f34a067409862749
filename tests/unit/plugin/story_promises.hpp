// SPDX-License-Identifier: LGPL-2.1-or-later
/// The promises of README.md and docs/changes.md, for one event of a story: which differences from NetworkManager alone
/// they explain, and what they require.
#pragma once
#include "story.hpp"

namespace nmib::test
{

/// What is compared.
struct Seen {
    bool active = false;
    TransportMode mode{};
    Mtu mtu = 0, ip6 = 0;
    bool tso = false, other_tso = false; ///< of the device, and of the other interface of the port
    bool carrier = false;
    bool operator==(const Seen &) const = default;
};

std::string words(const Seen &seen);

/// An event, and what the promises depend on. Before the event, both sides are equal.
struct Step {
    const StoryWorld &world;
    const Event &event;
    Seen before{}, ours{}, alone{};
    const FakeProfile *profile = nullptr; ///< applied with the plugin
    Mtu group = 0;

    /// Since the activation:
    struct Past {
        bool assumed = false;
        bool maybe_by_hand = false;    ///< a user or a pre-up script requested an MTU or a mode, perhaps in vain
        bool by_hand = false;          ///< it changed something, and no other MTU was reapplied since
        bool by_hand_is_over = false;  ///< then NetworkManager or a user set the profile's MTU
        bool like_the_kernels = false; ///< the change looks like one of a new group
    } past{};
    bool reported = false; ///< a line has the requested MTU and the MTU in effect
};

/// Returns the kind of an unexplained difference, or of a broken promise; empty if there is none.
std::string judge(const Step &step);

} // namespace nmib::test
