// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/plan/apply.hpp"
#include "cli/command/command.hpp"
#include "cli/plan/machine.hpp"
#include "config.h"

namespace nmib::cli
{

std::optional<Failure> apply_now(const Request &request)
{
    auto machine = Machine::open();
    if (!machine) return failure_of(machine.error());
    auto f = forecast_active(*machine, request.words.front());
    if (const auto *down = std::get_if<Failure>(&machine->daemon());
        down && !f && f.error().kind != Error::Kind::denied)
        return Failure{down->code, failure_of(f.error()).text};
    if (!f) return failure_of(f.error());
    const auto outcome =
        settle(machine->probe(), NMIB_STATE, f->profile.intent, machine->policy(), Probe::Depth::with_pkeys);
    if (!outcome) return failure_of(outcome.error());
    for (const auto &line : text(outcome->applied.done, machine->policy(), translate)) print(line + "\n");
    for (const auto &finding : findings(*outcome))
        note(form("%s: %s", _(word(finding.severity)), text(finding, translate).c_str()));
    if (outcome->applied.failures.empty()) return {};
    Words failed;
    for (const auto &e : outcome->applied.failures) failed.push_back(e.what);
    return Failure{exit_failed, form(_("Error: %s"), join(failed, "\n").c_str())};
}

} // namespace nmib::cli
