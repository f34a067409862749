// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/command/verbs.hpp"
#include "cli/plan/machine.hpp"
#include "cli/port/report.hpp"
#include "core/base/printable.hpp"

namespace nmib::cli
{

namespace
{
std::optional<Failure> print_ports(const Request &request, bool details)
{
    const auto all =
        take_inventory(details || request.has("--json"), request.words.empty() ? "" : request.words.front());
    if (!all) return failure_of(all.error());
    const auto json = json_of(*all);
    if (request.has("--json")) {
        print_json(json);
        return {};
    }
    Reasons reasons;
    const auto text = details ? details_of(request.print, json, reasons) : list_of(request.print, json, reasons);
    if (!text) return Failure{exit_usage, form(_("Error: %s"), text.error().what.c_str())};
    const bool terse = request.print.print == Options::Print::terse;
    print(all->devices.empty() && !terse ? std::string(_("No RDMA device is there.")) + "\n" : *text);
    for (const auto &reason : terse ? Reasons() : reasons)
        complain(form(_("note: '?' could not be read: %s"), printable(reason).c_str()));
    return {};
}
} // namespace

std::optional<Failure> list_ports(const Request &request) { return print_ports(request, /*details=*/false); }
std::optional<Failure> show_port(const Request &request) { return print_ports(request, /*details=*/true); }

} // namespace nmib::cli
