// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/doctor/report.hpp"

#include "cli/base/table.hpp"
#include "cli/fabric/forecast.hpp"
#include "core/diagnose/diagnose.hpp"
#include "core/printable.hpp"

#include <algorithm>
#include <glib.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
Json json_of(const Trouble &t)
{
    return {{"id", t.kind->id},
            {"severity", word(t.severity)},
            {"where", t.where},
            {"seen", seen(t)},
            {"why", why(t)},
            {"mend", mend(t)},
            {"mended_by", word(mended_by(t))},
            {"commands", commands(t)},
            {"consequences", t.consequences}};
}

constexpr std::size_t indent = 9;
const std::string blank(indent, ' ');

std::size_t ports_of(const Host &host)
{
    std::size_t n = 0;
    for (const auto &device : host.devices) n += device.ports.size();
    return n;
}
} // namespace

std::string text_of(std::span<const Trouble> all)
{
    std::string s;
    for (const auto &t : all) {
        s += folded(padded(_(word(t.severity)), indent - 1) + " ",
                    seen(t, translate) + " [" + std::string(t.kind->id) + "]", indent);
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

Json findings_of(std::span<const Trouble> all)
{
    Json findings = Json::array();
    for (const auto &t : all) findings.push_back(json_of(t));
    return findings;
}

std::string text_of(const Host &host, std::span<const Trouble> all)
{
    auto s = text_of(all);
    if (all.empty() && !host.has_device)
        s += std::string(_("There is no RDMA device, and no profile waits for one.")) + "\n";
    else if (is_healthy(all))
        s += form(_("No problem found (ports: %zu, profiles: %zu)."), ports_of(host), host.profiles.size()) + "\n";
    if (!host.named && ::geteuid() != 0)
        s += std::string(_("Not root: limits, the kernel's log and keyfiles were not looked at.")) + "\n";
    return s;
}

Json json_of(const Host &host, std::span<const Trouble> all)
{
    auto json = json_object();
    json["looked-at"] = {{"ports", ports_of(host)}, {"profiles", host.profiles.size()}, {"root", ::geteuid() == 0}};
    json["findings"] = findings_of(all);
    return json;
}

} // namespace nmib::cli
