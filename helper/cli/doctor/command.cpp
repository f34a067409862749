// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/doctor/look.hpp"
#include "cli/doctor/mend.hpp"
#include "cli/doctor/merge.hpp"
#include "cli/doctor/report.hpp"
#include "cli/fabric/machine.hpp"
#include "cli/verb/verbs.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/printable.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
constexpr int exit_warnings = 1, exit_errors = 4; ///< as check: a step that failed

bool is_known(const std::string &id)
{
    const auto kinds = trouble_kinds();
    return std::any_of(kinds.begin(), kinds.end(), [&](const auto *kind) { return kind->id == id; });
}

std::optional<Failure> mistake(const Request &request)
{
    const bool as_json = request.has("--json"), mends = request.has("--fix");
    for (const auto &id : request.all("--fix"))
        if (!is_known(id))
            return Failure{exit_usage,
                           form(_("Error: '%s' is no finding; nm-ib-doctor(7) lists them."), printable(id).c_str())};
    if (request.has("--yes") && !mends) return Failure{exit_usage, _("Error: --yes is for --fix.")};
    if (as_json && mends) return Failure{exit_usage, _("Error: --json and --fix do not go together.")};
    if (request.has("--merge") && (mends || !request.words.empty()))
        return Failure{exit_usage, _("Error: --merge takes files, and nothing but --json beside it.")};
    return {};
}
} // namespace

std::optional<Failure> diagnose_machine(const Request &request)
{
    if (auto failure = mistake(request)) return failure;
    if (request.has("--merge")) return merge_hosts(request.all("--merge"), request.has("--json"));
    const auto what = request.words.empty() ? "" : request.words.front();
    auto host = look_at_machine(what);
    if (!host) return failure_of(host.error());
    auto all = diagnose(*host);
    if (request.has("--fix")) {
        const auto mended = mend(all, request.all("--fix"), request.has("--yes"));
        if (!mended) return Failure{exit_usage, mended.error().what};
        if (*mended) {
            host = look_at_machine(what);
            if (!host) return failure_of(host.error());
            all = diagnose(*host);
        }
    }
    if (request.has("--json"))
        print_json(json_of(*host, all));
    else
        print(text_of(*host, all));
    if (is_healthy(all)) return {};
    return Failure{all.front().severity == Trouble::Severity::error ? exit_errors : exit_warnings, {}};
}

} // namespace nmib::cli
