// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/dcb.hpp"

#include "probe/plan/ethtool.hpp"
#include "terminal/json.hpp"
#include "terminal/process.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr std::size_t priorities = 8;

bool is_below(const Json &value, std::size_t limit)
{
    return value.is_number_unsigned() && value.get<std::size_t>() < limit;
}

/// Parses a list of keys and priorities, [[26,3]], which is absent if it would be empty. iproute2 6.15 adds a word to
/// each: [[26,3," "]].
std::optional<Dcb::Priorities> priorities_in(const Json &json, const char *name, std::size_t limit)
{
    if (!json.is_object()) return {};
    Dcb::Priorities all;
    for (const auto &pair : json.value(name, Json::array())) {
        if (!pair.is_array() || pair.size() < 2 || !is_below(pair[0], limit) || !is_below(pair[1], priorities))
            return {};
        all[pair[0].get<unsigned>()] = pair[1].get<unsigned>(); // of several, the highest is last
    }
    return all;
}

std::string output_of(const std::string &program, const char *noun, const std::string &interface)
{
    const auto run = run_for({program, "-j", noun, "show", "dev", interface}, /*seconds=*/5);
    return run && run->code == 0 ? run->out : ""; // fails without DCB
}
} // namespace

Dcb parse_dcb(const std::string &applications, const std::string &flow_control)
{
    const auto app = Json::parse(applications, nullptr, false), pfc = Json::parse(flow_control, nullptr, false);
    Dcb dcb{.of_dscp = priorities_in(app, "dscp_prio", 64),
            .of_udp_port = priorities_in(app, "dgram_port_prio", 65536)};
    const auto on = pfc.is_object() ? pfc.value("prio_pfc", Json()) : Json();
    const bool is_valid = on.is_array() && on.size() == priorities &&
                          std::all_of(on.begin(), on.end(), [](const Json &value) { return value.is_boolean(); });
    if (is_valid) dcb.flow_control = on.get<std::vector<bool>>();
    return dcb;
}

Dcb read_dcb(const IfName &interface)
{
    const auto program = find_system_program("dcb");
    if (program.empty()) return {};
    auto dcb = parse_dcb(output_of(program, "app", interface.str()), output_of(program, "pfc", interface.str()));
    const auto ethtool = Ethtool::open();
    dcb.has_pause = ethtool && ethtool->has_pause(interface);
    return dcb;
}

} // namespace nmib::cli
