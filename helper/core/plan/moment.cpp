// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/moment.hpp"

#include <algorithm>
#include <array>

namespace nmib
{

namespace
{
enum class MtuRule {
    leave,
    report,  ///< reports an MTU that the kernel did not grant
    correct, ///< undoes a rise above the profile's MTU by the kernel, after a new broadcast group allowed more
    raise,   ///< if the kernel refused NetworkManager's MTU, sets the highest that it accepts
    set,
};

struct Rule {
    Moment moment;
    bool mode;
    MtuRule mtu;
    bool offloads; ///< written; otherwise a difference is reported
};

constexpr std::array rules = {
    Rule{Moment::prepare, true, MtuRule::leave, false},     Rule{Moment::config, false, MtuRule::leave, true},
    Rule{Moment::activated, false, MtuRule::raise, true},   Rule{Moment::carrier, false, MtuRule::correct, true},
    Rule{Moment::dispatched, false, MtuRule::report, true}, Rule{Moment::by_hand, true, MtuRule::set, true},
    Rule{Moment::forecast, true, MtuRule::set, true},
};

bool applies(MtuRule rule, Mtu asked, const Situation &s) noexcept
{
    switch (rule) {
    case MtuRule::leave: return false;
    case MtuRule::report:
    case MtuRule::raise: return s.mtu < asked;
    // A lowered MTU is also selected, to be reported, not changed.
    case MtuRule::correct:
        if (!s.before || s.by_hand || s.mode != TransportMode::datagram || !mtu::follows_group(*s.before, s.mtu))
            return false;
        return s.mtu > asked ? s.mtu > *s.before : s.mtu < *s.before;
    case MtuRule::set: return true;
    }
    return false;
}
} // namespace

Intent narrowed(Intent intent, Moment moment, const Situation &situation)
{
    const auto &rule = *std::find_if(rules.begin(), rules.end() - 1, [=](const Rule &r) { return r.moment == moment; });
    if (!rule.mode || situation.assumed) intent.mode.reset();
    const auto asked = intent.mtu.value_or(0);
    // If IPv6 is in use, NetworkManager raises a smaller MTU. A forecast shows the profile's MTU.
    const bool small = asked < mtu::ipv6_minimum && moment != Moment::forecast;
    if (asked == 0 || small || situation.assumed || !applies(rule.mtu, asked, situation)) intent.mtu.reset();
    // Enhanced IPoIB: a change interrupts the carrier. None if the MTU is at least the smallest broadcast group's.
    const bool costly = situation.enhanced && situation.mtu >= 2048 - mtu::encapsulation;
    // A refused request changes nothing, so the broadcast group, a script or an administrator set another MTU.
    const bool changed = situation.by_hand || (situation.before && situation.mtu != *situation.before);
    if (rule.mtu != MtuRule::report) intent.mtu_was_changed = changed;
    intent.mtu_was_requested = rule.mtu != MtuRule::set;
    intent.mtu_is_settled = rule.mtu == MtuRule::report || rule.mtu == MtuRule::correct ||
                            (rule.mtu == MtuRule::raise && (costly || changed || !situation.requested));
    intent.offloads_are_settled = !rule.offloads || situation.overridden;
    return intent;
}

} // namespace nmib
