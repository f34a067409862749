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
    report,  ///< only whether the kernel granted it
    correct, ///< if the kernel raised it above the profile's MTU, which it does when a new broadcast group allows more
    raise,   ///< if the kernel refused NetworkManager's request: to the highest MTU that it accepts
    set,
};

struct Rule {
    Moment moment;
    bool mode;
    MtuRule mtu;
};

constexpr std::array rules = {
    Rule{Moment::prepare, true, MtuRule::leave},       Rule{Moment::config, false, MtuRule::leave},
    Rule{Moment::activated, false, MtuRule::raise},    Rule{Moment::carrier, false, MtuRule::correct},
    Rule{Moment::disconnected, false, MtuRule::leave}, Rule{Moment::dispatched, false, MtuRule::report},
    Rule{Moment::by_hand, true, MtuRule::set},         Rule{Moment::forecast, true, MtuRule::set},
};

bool applies(MtuRule rule, Mtu asked, const Situation &s) noexcept
{
    switch (rule) {
    case MtuRule::leave: return false;
    case MtuRule::report:
    case MtuRule::raise: return s.mtu < asked;
    // Also if the kernel lowered it below the profile's MTU: that is reported, not changed.
    case MtuRule::correct:
        if (!s.before || !mtu::follows_group(*s.before, s.mtu)) return false;
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
    // NetworkManager raises an MTU below IPv6's minimum where IPv6 is in use, and a forecast shows what was asked.
    const bool small = asked < mtu::ipv6_minimum && moment != Moment::forecast;
    if (asked == 0 || small || situation.assumed || !applies(rule.mtu, asked, situation)) intent.mtu.reset();
    // What the smallest broadcast group allows is not worth a carrier.
    const bool costly = situation.enhanced && situation.mtu >= 2048 - mtu::encapsulation;
    // A refused request changes nothing. So the broadcast group, a script or an administrator set an MTU that differs.
    const bool changed = situation.before && situation.mtu != *situation.before;
    intent.mtu_is_settled = rule.mtu == MtuRule::report || rule.mtu == MtuRule::correct ||
                            (rule.mtu == MtuRule::raise && (costly || changed));
    return intent;
}

} // namespace nmib
