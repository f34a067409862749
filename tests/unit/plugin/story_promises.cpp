// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plugin/story_promises.hpp"

#include <algorithm>
#include <span>

namespace nmib::test
{

namespace
{
Mtu asked(const Step &s) { return s.profile ? s.profile->asks.mtu.value_or(0) : 0; }
bool is_cm(const Step &s) { return s.ours.mode == TransportMode::connected; }
bool names_tso(const Step &s) { return s.profile && !s.profile->features.empty(); }
bool is_ours(const FakeProfile &p) { return !p.external && !p.asks.skip; }
bool is_ours(const Step &s) { return s.ours.active && s.profile && is_ours(*s.profile); }
/// The profile has an MTU, and NetworkManager has applied the profile itself.
bool has_mtu(const Step &s) { return is_ours(s) && !s.past.assumed && asked(s) != 0; }
bool is_refused(const Step &s) { return asked(s) > (is_cm(s) ? s.world.cm : s.world.port); }
/// The highest MTU that the kernel grants.
Mtu highest(const Step &s) { return is_cm(s) ? s.world.cm : std::min(s.world.port, s.group); }
/// raise: enhanced IPoIB keeps 2044 or more.
bool is_kept(const Step &s, Mtu mtu) { return s.world.enhanced && mtu >= 2044; }
bool is_group(const Step &s) { return s.event.kind == Event::join || s.event.kind == Event::rejoin; }
bool is_by_hand(const Step &s) { return s.past.by_hand && !s.past.by_hand_is_over; }
bool falls_back(const Step &s)
{
    return is_ours(s) && s.world.enhanced && !s.world.strict && s.profile->asks.mode == TransportMode::connected;
}

struct Promise {
    const char *row; ///< in README.md or docs/changes.md
    /// Returns true if the promise explains the difference; null: never.
    bool (*explains)(const Step &);
    /// Returns true if the promise is broken; null: never.
    bool (*is_broken)(const Step &);
};

const Promise of_mtu[] = {
    {"changes.md: raise, if the kernel refused the MTU and nothing else changed it",
     [](const Step &s) {
         return has_mtu(s) && !is_by_hand(s) && is_refused(s) && s.ours.mtu > s.alone.mtu && s.ours.mtu == highest(s) &&
                !is_kept(s, s.alone.mtu);
     },
     [](const Step &s) {
         return (s.event.kind == Event::up || s.event.kind == Event::reapply_mtu) && has_mtu(s) &&
                !s.past.maybe_by_hand && is_refused(s) && s.ours.carrier && s.ours.mtu != highest(s) &&
                !is_kept(s, s.ours.mtu);
     }},
    {"changes.md: correct, if a new group made the kernel raise the MTU above the profile's",
     [](const Step &s) {
         return has_mtu(s) && !is_by_hand(s) && !is_cm(s) && is_group(s) && s.alone.mtu > asked(s) &&
                s.ours.mtu == asked(s);
     },
     [](const Step &s) {
         return has_mtu(s) && !s.past.maybe_by_hand && !is_cm(s) && is_group(s) && s.before.mtu <= asked(s) &&
                s.ours.carrier && s.ours.mtu > asked(s) && mtu::is_group_limit(s.ours.mtu);
     }},
    {"changes.md: correct, a change by hand that looks like the kernel's",
     [](const Step &s) {
         return has_mtu(s) && !is_cm(s) && s.past.like_the_kernels &&
                (s.alone.mtu > asked(s) ? s.ours.mtu == asked(s) : is_refused(s) && s.ours.mtu == highest(s));
     },
     nullptr},
    {"changes.md: raise, a lower MTU that a program requested before and the group's limit hid is forgotten",
     [](const Step &s) {
         return is_group(s) && s.alone.mtu > s.before.mtu && !mtu::is_group_limit(s.alone.mtu) && s.ours.mtu == s.group;
     },
     nullptr},
    {"changes.md: correct, an MTU that the group lowered is reported", nullptr,
     [](const Step &s) {
         return has_mtu(s) && !s.past.maybe_by_hand && is_group(s) && s.alone.mtu < s.before.mtu &&
                s.ours.mtu < asked(s) && !s.reported;
     }},
};

const Promise of_the_rest[] = {
    {"README.md: enhanced IPoIB, connected mode: the interface comes up in datagram mode", nullptr,
     [](const Step &s) {
         return s.event.kind == Event::up && is_ours(s.event.profile) && s.world.enhanced && !s.world.strict &&
                !s.ours.active;
     }},
    {"README.md: TSO is off on a ConnectX of revision a0, unless the profile names it", nullptr,
     [](const Step &s) {
         return s.world.quirk && is_ours(s) && !names_tso(s) && (s.ours.tso || (!s.world.child && s.ours.other_tso));
     }},
};

bool requests(const Step &s, Mtu ip6) { return s.profile && s.ours.active && s.profile->ip6_mtu == ip6; }

/// After a change of the MTU by the plugin, the IPv6 MTU is what it was. If it was the MTU of the link, and no profile
/// requests it, it may follow.
bool explains_ip6(const Step &s)
{
    if (s.ours.mtu == s.alone.mtu) return false;
    return s.ours.ip6 == std::min(s.alone.ip6, s.ours.mtu) ||
           (s.alone.ip6 == s.alone.mtu && s.ours.ip6 == s.ours.mtu && !requests(s, s.alone.ip6)) ||
           (is_group(s) && s.ours.ip6 == std::min(s.before.ip6, s.ours.mtu));
}

std::string differs(const Step &s)
{
    if (s.ours.active && !s.alone.active && falls_back(s)) return "";
    if (s.ours.active != s.alone.active) return "active";
    if (s.ours.mode != s.alone.mode) return "mode";
    if (s.ours.carrier != s.alone.carrier) return "carrier";
    if (s.ours.mtu != s.alone.mtu && std::none_of(std::begin(of_mtu), std::end(of_mtu),
                                                  [&](const Promise &p) { return p.explains && p.explains(s); }))
        return is_cm(s) ? "mtu in connected mode" : "mtu in datagram mode";
    if (s.ours.ip6 != s.alone.ip6 && !explains_ip6(s)) return "ipv6 mtu";
    const auto is_explained = [&](bool ours, bool alone, bool named) {
        return ours == alone || (s.world.quirk && !ours && !named);
    };
    if (!is_explained(s.ours.tso, s.alone.tso, is_ours(s) && names_tso(s))) return "tso";
    if (!is_explained(s.ours.other_tso, s.alone.other_tso, false)) return "tso of the other interface";
    return "";
}
} // namespace

std::string judge(const Step &s)
{
    if (const auto what = differs(s); !what.empty()) return what + " differs after " + words(s.event.kind);
    for (const auto &promises : {std::span<const Promise>(of_mtu), std::span<const Promise>(of_the_rest)})
        for (const auto &p : promises)
            if (p.is_broken && p.is_broken(s))
                return std::string("promise not kept after ") + words(s.event.kind) + ": " + p.row;
    return "";
}

std::string words(const Seen &s)
{
    return std::string(s.active ? "active, " : "inactive, ") + std::string(name(s.mode)) + ", mtu " +
           std::to_string(s.mtu) + ", ipv6 mtu " + std::to_string(s.ip6) + ", tso " + (s.tso ? "on" : "off") + "/" +
           (s.other_tso ? "on" : "off") + (s.carrier ? "" : ", no carrier");
}

} // namespace nmib::test
