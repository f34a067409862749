// SPDX-License-Identifier: LGPL-2.1-or-later
/// doctor [PORT|IFACE|PROFILE] [--json] [--fix [ID...] [--yes]], doctor --merge FILE... [--json]
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

struct DoctorRequest {
    std::string what{}; ///< empty: the whole machine
    bool json = false, fix = false, yes = false;
    Words ids{}; ///< behind --fix
};

bool is_known(const std::string &id)
{
    const auto kinds = trouble_kinds();
    return std::any_of(kinds.begin(), kinds.end(), [&](const auto *kind) { return kind->id == id; });
}

std::variant<DoctorRequest, Failure> parse(Invocation &in)
{
    DoctorRequest r;
    bool ids_follow = false;
    while (!in.args.empty()) {
        auto w = in.args.take();
        const bool is_option = w.starts_with('-');
        if (ids_follow && !is_option) {
            if (!is_known(w))
                return Failure{exit_usage,
                               form(_("Error: '%s' is no finding; nm-ib-doctor(7) lists them."), printable(w).c_str())};
            r.ids.push_back(std::move(w));
            continue;
        }
        ids_follow = w == "--fix";
        if (w == "--json")
            r.json = true;
        else if (w == "--fix")
            r.fix = true;
        else if (w == "--yes")
            r.yes = true;
        else if (w.empty() || is_option || !r.what.empty())
            return Failure{
                exit_usage,
                _("Usage: nm-ib doctor [PORT|IFACE|PROFILE | --merge FILE...] [--json] [--fix [ID...] [--yes]]")};
        else
            r.what = std::move(w);
    }
    if (r.yes && !r.fix) return Failure{exit_usage, _("Error: --yes is for --fix.")};
    if (r.json && r.fix) return Failure{exit_usage, _("Error: --json and --fix do not go together.")};
    return r;
}
} // namespace

std::optional<Failure> diagnose_machine(Invocation &in)
{
    if (in.args.has("--merge")) return merge_hosts(in.args);
    const auto parsed = parse(in);
    if (const auto *failure = std::get_if<Failure>(&parsed)) return *failure;
    const auto &request = std::get<DoctorRequest>(parsed);
    auto host = look_at_machine(request.what);
    if (!host) return failure_of(host.error());
    auto all = diagnose(*host);
    if (request.fix) {
        const auto mended = mend(all, request.ids, request.yes);
        if (!mended) return Failure{exit_usage, mended.error().what};
        if (*mended) {
            host = look_at_machine(request.what);
            if (!host) return failure_of(host.error());
            all = diagnose(*host);
        }
    }
    print(request.json ? json_of(*host, all) + "\n" : text_of(*host, all));
    if (is_healthy(all)) return {};
    return Failure{all.front().severity == Trouble::Severity::error ? exit_errors : exit_warnings, {}};
}

} // namespace nmib::cli
