// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/table.hpp"
#include "cli/command/verbs.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/plan/machine.hpp"
#include "core/base/printable.hpp"

#include <algorithm>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
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

std::size_t ports_of(const Host &host)
{
    std::size_t n = 0;
    for (const auto &device : host.devices) n += device.ports.size();
    return n;
}

/// With what was looked at.
std::string text_of(const Host &host, std::span<const Trouble> all, bool coloured)
{
    auto s = cli::text_of(all, coloured);
    if (all.empty() && !host.has_device)
        s += std::string(host.has_daemon ? _("There is no RDMA device, and no profile waits for one.")
                                         : _("There is no RDMA device.")) +
             "\n";
    else if (is_healthy(all))
        s += form(_("No problem found (ports: %zu, profiles: %zu)."), ports_of(host), host.profiles.size()) + "\n";
    if (!host.has_daemon) s += std::string(_("NetworkManager is not running: profiles were not looked at.")) + "\n";
    if (!host.named && ::geteuid() != 0)
        s += std::string(
                 _("Not root: limits, the kernel's log, keyfiles and the plugin's version were not looked at.")) +
             "\n";
    return s;
}

Json json_of(const Host &host, std::span<const Trouble> all)
{
    auto json = json_object();
    json["looked_at"] = {{"ports", ports_of(host)},
                         {"profiles", host.profiles.size()},
                         {"root", ::geteuid() == 0},
                         {"networkmanager", host.has_daemon}};
    json["findings"] = cli::json_of(all);
    return json;
}
} // namespace

std::optional<Failure> diagnose_machine(const Request &request)
{
    if (auto failure = mistake(request)) return failure;
    if (request.has("--merge")) return merge_hosts(request);
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
        print(text_of(*host, all, is_coloured(request.print)));
    return outcome(all);
}

} // namespace nmib::cli
