// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plugin/story.hpp"

#include <algorithm>

namespace nmib::test
{

namespace
{
using Mtus = std::vector<Mtu>;

/// More likely kinds are listed more often.
const std::vector<Event::Kind> kinds{
    Event::up,           Event::up,          Event::up,
    Event::down,         Event::restart,     Event::reapply_mtu,
    Event::echo,         Event::advertise,   Event::lose,
    Event::join,         Event::join,        Event::rejoin,
    Event::rejoin,       Event::mtu_by_hand, Event::mtu_by_hand,
    Event::mode_by_hand, Event::ip6_by_hand, Event::reapply_address,
};

TransportMode any_mode(Random &r) { return r.chance(50) ? TransportMode::connected : TransportMode::datagram; }

StoryWorld any_world(Random &r)
{
    StoryWorld w{};
    w.child = r.chance(25);
    w.enhanced = r.chance(25);
    w.quirk = r.chance(25);
    w.strict = r.chance(10);
    w.refuses_connected = r.chance(4);
    w.port = r.chance(25) ? 2044 : 4092;
    w.group = std::min(w.port, r.of(Mtus{2044, 2044, 4092}));
    w.cm = r.chance(25) ? 16368 : 65520;
    w.initial = std::min(w.group, r.of(Mtus{1500, 2044, 4092, 4092}));
    return w;
}

FakeProfile any_profile(Random &r)
{
    FakeProfile p;
    p.uuid = p.asks.profile = r.chance(70) ? "u1" : "u2";
    p.asks.mode = any_mode(r);
    p.asks.mtu = r.of(Mtus{0, 1500, 2044, 2044, 4092, 4092, 9000, 65520, 65520});
    p.ip6_mtu = r.of(Mtus{0, 0, 0, 1400, 2044});
    if (r.chance(15)) p.features = {{tso, r.chance(60)}};
    if (r.chance(20)) p.script_mtu = r.of(Mtus{1500, 2044, 3000, 4092, 9000});
    p.script_is_late = r.chance(40);
    p.script_is_slow = r.chance(40);
    p.asks.skip = r.chance(4);
    p.external = r.chance(4);
    return p;
}

Event any_event(Random &r, Event::Kind kind, const StoryWorld &w)
{
    Event e{.kind = kind};
    switch (kind) {
    case Event::up: e.profile = any_profile(r); break;
    case Event::reapply_mtu: e.mtu = r.of(Mtus{0, 1500, 2044, 4092, 65520}); break;
    case Event::advertise: e.mtu = r.of(Mtus{1500, 2044}); break;
    case Event::lose: e.unnoticed = r.chance(10); break;
    case Event::join:
    case Event::rejoin: e.mtu = std::min(w.port, r.of(Mtus{2044, 4092})); break;
    case Event::mtu_by_hand: e.mtu = r.of(Mtus{1500, 2044, 3000, 4092, 9000}); break;
    case Event::mode_by_hand: e.mode = any_mode(r); break;
    case Event::ip6_by_hand: e.mtu = r.of(Mtus{1300, 1500}); break;
    default: break;
    }
    return e;
}
} // namespace

DeviceStory random_story(unsigned seed)
{
    Random r(seed);
    DeviceStory s{any_world(r), {}};
    const FakeProfile *last = nullptr;
    s.events.reserve(12);
    for (auto n = 4 + r.below(9); n > 0; n--) {
        auto e = any_event(r, last ? r.of(kinds) : Event::up, s.world);
        if (e.kind == Event::up && last && r.chance(50)) e.profile = *last;
        s.events.push_back(std::move(e));
        if (s.events.back().kind == Event::up) last = &s.events.back().profile;
    }
    for (auto &e : s.events) e.profile.carrier_is_late = r.chance(50);
    return s;
}

Facts facts_of(const StoryWorld &w)
{
    Facts f{{}, {port_link(4, "ib0"), child_link(5, "ib0.8002", 4, 0x8002)}};
    for (auto &l : f.links) {
        l.features = {{tso, true, true}};
        l.address = address(!w.enhanced);
        l.mtu = w.initial;
    }
    return f;
}

const char *words(Event::Kind kind)
{
    switch (kind) {
    case Event::up: return "up";
    case Event::down: return "down";
    case Event::restart: return "restart of the daemon";
    case Event::reapply_mtu: return "reapply of mtu";
    case Event::reapply_address: return "reapply of an address";
    case Event::echo: return "device modify without a change";
    case Event::advertise: return "router advertises mtu";
    case Event::lose: return "carrier lost";
    case Event::join: return "carrier with group";
    case Event::rejoin: return "re-registration with group";
    case Event::mtu_by_hand: return "by hand mtu";
    case Event::mode_by_hand: return "by hand mode";
    case Event::ip6_by_hand: return "by hand ipv6 mtu";
    }
    return "";
}

std::string words(const Event &e)
{
    std::string text = words(e.kind);
    if (e.mtu) text += " " + std::to_string(e.mtu);
    if (e.unnoticed) text += ", NetworkManager does not notice";
    if (e.kind == Event::mode_by_hand) text += " " + std::string(name(e.mode));
    if (e.kind != Event::up) return text;
    const auto &p = e.profile;
    text += " " + p.uuid + ": " + std::string(name(*p.asks.mode)) + " mtu " + std::to_string(*p.asks.mtu);
    if (p.ip6_mtu) text += ", ipv6.mtu " + std::to_string(p.ip6_mtu);
    for (const auto &[feature, on] : p.features) text += on ? ", tso on" : ", tso off";
    if (p.script_mtu)
        text += std::string(", ") + (p.script_is_late ? "late " : "") + (p.script_is_slow ? "slow " : "") +
                "pre-up script sets mtu " + std::to_string(*p.script_mtu);
    if (p.carrier_is_late) text += ", late carrier";
    return text + (p.asks.skip ? ", rdma.skip" : "") + (p.external ? ", external" : "");
}

std::string words(const StoryWorld &w)
{
    return std::string(w.child ? "P_Key child" : "port") + (w.enhanced ? ", enhanced IPoIB" : "") +
           (w.quirk ? ", tso quirk" : "") + (w.strict ? ", connected-impossible=fail" : "") +
           (w.refuses_connected ? ", driver refuses connected" : "") + ", port limit " + std::to_string(w.port) +
           ", connected limit " + std::to_string(w.cm) + ", group " + std::to_string(w.group) + ", mtu " +
           std::to_string(w.initial);
}

} // namespace nmib::test
