// SPDX-License-Identifier: LGPL-2.1-or-later
/// name check: whether every name holds.
#include "cli/name/report.hpp"
#include "cli/name/world.hpp"

#include <algorithm>

namespace nmib::cli
{

std::optional<Failure> check_names(const NameRequest &request)
{
    const auto world = read_naming_world();
    if (!world) return Failure{exit_failed, form(_("Error: %s"), world.error().what.c_str())};
    const auto states = name_states(*world);
    const auto wrong = std::count_if(states.begin(), states.end(), [](const auto &s) { return s.is_fault(); });
    if (request.json) {
        auto all = json_object();
        all.update({{"changed", false}, {"good", wrong == 0}, {"names", Json::array()}});
        for (const auto &s : states) all["names"].push_back(json_of(s));
        print_json(all);
        return wrong == 0 ? std::nullopt : std::optional(Failure{exit_failed, {}});
    }
    for (const auto &s : states) print(text(s, translate) + "\n");
    if (wrong == 0) return {};
    return Failure{exit_failed, form(_("Error: %d of %d names do not hold."), static_cast<int>(wrong),
                                     static_cast<int>(states.size()))};
}

} // namespace nmib::cli
