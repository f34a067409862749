// SPDX-License-Identifier: LGPL-2.1-or-later
/// A random story: a machine, and events of one device.
#pragma once
#include "fake_daemon.hpp"
#include "make.hpp"
#include "random_world.hpp"

#include <string>
#include <vector>

namespace nmib::test
{

struct StoryWorld {
    bool child, enhanced, quirk, strict, refuses_connected;
    Mtu port, group, cm, initial;
};

struct Event {
    enum Kind {
        up,
        down,
        restart, ///< of the daemon
        reapply_mtu,
        reapply_address, ///< Reapply of something else
        echo,            ///< `nmcli device modify` without a change
        advertise,       ///< a router advertises an MTU
        lose,            ///< the carrier
        join,            ///< a group, after a loss of the carrier
        rejoin,          ///< a group, by client re-registration: the carrier stays
        mtu_by_hand,
        mode_by_hand,
        ip6_by_hand,
    } kind;
    FakeProfile profile{};
    Mtu mtu = 0;
    TransportMode mode{};
    bool unnoticed = false; ///< NetworkManager does not notice the loss of the carrier
};

struct DeviceStory {
    StoryWorld world;
    std::vector<Event> events;
};

DeviceStory random_story(unsigned seed);
/// Before its events.
Facts facts_of(const StoryWorld &world);
const char *words(Event::Kind kind);
std::string words(const Event &event);
std::string words(const StoryWorld &world);

} // namespace nmib::test
