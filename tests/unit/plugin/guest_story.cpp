// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plugin/guest_story.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace nmib::test
{

namespace
{
using Lines = std::vector<std::string>;

bool is_playable(const Event &e)
{
    return e.kind != Event::advertise && e.kind != Event::lose && !e.profile.asks.skip && !e.profile.external;
}

Lines start(const StoryWorld &w, const std::string &device)
{
    const auto port = std::to_string(w.port + 4);
    Lines out{"fabric qpn_base=0x48 max_mtu=" + port + " active_mtu=" + port +
              " group_mtu=" + std::to_string(w.group + 4) + (w.quirk ? " rev=0xa0" : " rev=0xb0") +
              (w.cm < 65520 ? " srq_sge=4" : "") + (w.enhanced ? " enhanced=1" : "")};
    if (w.refuses_connected) out.emplace_back("no-wait hca connected mlx4_0 1 refuse");
    out.emplace_back("no-wait create-child ib0 0x8002");
    if (w.child) out.emplace_back("ip link set ib0.8002 up");
    out.push_back("ip link set " + device + " mtu " + std::to_string(w.initial));
    return out;
}

/// Writes only what the guest does not have: a call of nmcli takes the guest a second.
class Guest
{
public:
    explicit Guest(bool is_child) : is_child_(is_child) {}
    Lines up(const FakeProfile &p)
    {
        Lines out;
        const auto script = "script " + (p.script_mtu ? "mtu " + std::to_string(*p.script_mtu) + " pre-up" : "none");
        if (std::exchange(script_, script) != script) out.push_back("no-wait " + script);
        const char *tso_word = p.features.empty() ? "ignore" : p.features[0].second ? "on" : "off";
        const auto words = p.uuid + " infiniband.transport-mode " + std::string(name(*p.asks.mode)) +
                           " infiniband.mtu " + std::to_string(*p.asks.mtu) + " ipv6.mtu " + std::to_string(p.ip6_mtu) +
                           " ethtool.feature-tx-tcp-segmentation " + tso_word;
        const auto before = std::exchange(profiles_[p.uuid], words);
        if (before.empty())
            out.push_back("no-wait add infiniband " + words + " autoconnect no " +
                          (is_child_ ? "parent ib0 p-key 0x8002" : "ifname ib0") +
                          " ipv4.method manual ipv4.addresses 198.51.1.1/24 ipv6.method link-local");
        else if (before != words)
            out.push_back("no-wait modify " + words);
        out.push_back("up " + p.uuid);
        return out;
    }

private:
    bool is_child_;
    std::string script_ = "script none";
    std::map<std::string, std::string> profiles_{};
};

Lines new_group(Mtu mtu, const std::string &how)
{
    return {"no-wait knob group_mtu " + std::to_string(mtu + 4), "new-group mlx4_0 " + how};
}
} // namespace

std::optional<std::vector<std::vector<std::string>>> guest_story(DeviceStory &story)
{
    const auto &w = story.world;
    if (w.strict || !std::all_of(story.events.begin(), story.events.end(), is_playable)) return std::nullopt;
    const std::string device = w.child ? "ib0.8002" : "ib0";
    std::vector<Lines> out{start(w, device)};
    Guest guest(w.child);
    for (auto &e : story.events) {
        e.profile.carrier_is_late = true;
        e.profile.script_is_late = e.profile.script_is_slow = false;
        const auto mtu = std::to_string(e.mtu);
        const auto modify = "device-modify " + device + " ";
        switch (e.kind) {
        case Event::up: out.push_back(guest.up(e.profile)); break;
        case Event::down: out.push_back({"disconnect " + device}); break;
        case Event::restart: out.push_back({"restart"}); break;
        case Event::reapply_mtu: out.push_back({modify + "infiniband.mtu " + mtu}); break;
        case Event::reapply_address:
            out.push_back({modify + "+ipv4.addresses 203.0.113." + std::to_string(out.size()) + "/24"});
            break;
        case Event::echo: out.push_back({modify + "ipv4.method manual"}); break;
        case Event::join: out.push_back(new_group(e.mtu, "flap")); break;
        case Event::rejoin: out.push_back(new_group(e.mtu, "rereg")); break;
        case Event::mtu_by_hand: out.push_back({"ip link set " + device + " mtu " + mtu}); break;
        case Event::mode_by_hand: out.push_back({"write-mode " + device + " " + std::string(name(e.mode))}); break;
        case Event::ip6_by_hand: out.push_back({"ip6-mtu " + device + " " + mtu}); break;
        case Event::advertise:
        case Event::lose: break;
        }
    }
    return out;
}

} // namespace nmib::test
