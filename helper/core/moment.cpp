// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/moment.hpp"

#include <algorithm>
#include <array>

namespace nmib
{

namespace
{
enum class Auto {
    no,         ///< it may be what DHCP, a router or NetworkManager.conf said
    yes,        ///< nobody has said another one yet
    if_new,     ///< the profile asked for a number before
    if_unheard, ///< neither the plugin nor a lease has decided
};

struct Rule {
    Moment moment;
    bool mode;
    bool mtu;       ///< a number
    bool small_mtu; ///< one below IPv6's minimum, which NetworkManager raises where IPv6 is in use
    Auto automatic; ///< the MTU of a profile that names none
};

constexpr std::array rules = {
    //                           mode   MTU    small  automatic
    Rule{Moment::prepare, true, true, false, Auto::yes},     Rule{Moment::config, true, true, false, Auto::yes},
    Rule{Moment::activated, false, true, false, Auto::no},   Rule{Moment::carrier, false, true, false, Auto::no},
    Rule{Moment::reapply, false, true, false, Auto::if_new}, Rule{Moment::disconnected, false, false, false, Auto::no},
    Rule{Moment::pre_up, true, true, false, Auto::no},       Rule{Moment::up, true, true, false, Auto::if_unheard},
    Rule{Moment::reapplied, false, false, false, Auto::no},  Rule{Moment::by_hand, true, true, false, Auto::no},
    Rule{Moment::forecast, true, true, true, Auto::yes},
};

bool allows(Auto automatic, const Situation &s) noexcept
{
    switch (automatic) {
    case Auto::no: return false;
    case Auto::yes: return !s.assumed;
    case Auto::if_new: return s.mtu_is_new;
    case Auto::if_unheard: return !s.plugin && !s.leased_mtu;
    }
    return false;
}
} // namespace

Intent narrowed(Intent intent, Moment moment, const Situation &situation)
{
    const auto &rule = *std::find_if(rules.begin(), rules.end() - 1, [=](const Rule &r) { return r.moment == moment; });
    if (!rule.mode || situation.assumed) intent.mode.reset();
    if (!intent.mtu) return intent;
    const bool automatic = *intent.mtu == 0;
    const bool small = !automatic && *intent.mtu < mtu::ipv6_minimum;
    // A port's automatic MTU is its controller's.
    const bool mine =
        automatic ? !intent.controlled && allows(rule.automatic, situation) : rule.mtu && (!small || rule.small_mtu);
    if (!mine || !situation.carrier) intent.mtu.reset();
    return intent;
}

} // namespace nmib
