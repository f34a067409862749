// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/table.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/plan/forecast.hpp"
#include "core/base/printable.hpp"

namespace nmib::cli
{

std::string text_of(std::span<const Trouble> all, bool coloured)
{
    constexpr std::size_t indent = 9;
    const std::string blank(indent, ' ');
    std::string s;
    for (const auto &t : all) {
        const auto *colour = t.severity == Trouble::Severity::error ? "\033[31m" : "\033[33m";
        const bool is_grey = !coloured || t.severity == Trouble::Severity::info;
        const auto severity =
            is_grey ? std::string(_(word(t.severity))) : colour + std::string(_(word(t.severity))) + "\033[0m";
        s += folded(padded(severity, indent - 1) + " ", seen(t, translate) + " [" + std::string(t.kind->id) + "]",
                    indent);
        s += folded("", why(t, translate), indent);
        const auto what = advice(t, translate);
        const auto lines = commands(t);
        if (!what.empty()) s += folded(blank + "=> ", what + (lines.empty() ? "" : ":"), indent + 3);
        for (const auto &line : lines) s += blank + (what.empty() ? "=> " : "   ") + nmib::text(line) + "\n";
        if (!t.consequences.empty())
            s +=
                folded("", form(_("without a carrier because of it: %s"), printable(join(t.consequences, " ")).c_str()),
                       indent);
    }
    return s;
}

Json json_of(std::span<const Trouble> all)
{
    Json findings = Json::array();
    for (const auto &t : all)
        findings.push_back({{"id", t.kind->id},
                            {"severity", word(t.severity)},
                            {"where", t.where},
                            {"seen", seen(t)},
                            {"why", why(t)},
                            {"mend", mend(t)},
                            {"mended_by", word(mended_by(t))},
                            {"commands", commands(t)},
                            {"consequences", t.consequences}});
    return findings;
}

std::optional<Failure> outcome(std::span<const Trouble> all)
{
    constexpr int exit_warnings = 1, exit_errors = 4; // as check: a step that failed
    if (is_healthy(all)) return {};
    return Failure{all.front().severity == Trouble::Severity::error ? exit_errors : exit_warnings, {}};
}

} // namespace nmib::cli
