// SPDX-License-Identifier: LGPL-2.1-or-later
/// port [list] [--json], port show PORT|IFACE [--json], port monitor [PORT|IFACE...] [--json]
#include "cli/port/monitor.hpp"
#include "cli/port/report.hpp"
#include "cli/verb/verbs.hpp"
#include "core/printable.hpp"

namespace nmib::cli
{

namespace
{
const char *usage()
{
    return _(
        "Usage: nm-ib port [list] [--json]\n"
        "       nm-ib port show PORT|IFACE [--json]\n"
        "       nm-ib port monitor [PORT|IFACE...] [--json]\n"
        "\n"
        "  list      every port of an RDMA device, and the interfaces on it\n"
        "  show      everything about one port: card, firmware, address, P_Keys, GIDs\n"
        "  monitor   a line for each change, as it happens\n"
        "\n"
        "PORT is an HCA and port (mlx4_0/1), a PCI address and port (0000:05:00.0/1), a port GUID, or an interface.\n"
        "-t, -f, -g and -m before 'port' work as in nmcli. nm-ib-port(1) has more.");
}

struct Request {
    bool details = false, monitor = false, json = false;
    Words ports{};
};

/// Nothing where the words are no request.
std::optional<Request> parse(Args &args)
{
    Request r;
    if (!args.empty() && !args.front().starts_with('-')) {
        const auto verb = args.take();
        r.details = begins(verb, "show");
        r.monitor = begins(verb, "monitor");
        if (!r.details && !r.monitor && !begins(verb, "list")) return {};
    }
    while (!args.empty()) {
        auto word = args.take();
        if (word == "--json")
            r.json = true;
        else if ((r.monitor || (r.details && r.ports.empty())) && !word.empty() && !word.starts_with('-'))
            r.ports.push_back(std::move(word));
        else
            return {};
    }
    if (r.details && r.ports.empty()) return {};
    return r;
}
} // namespace

std::optional<Failure> show_ports(Invocation &in)
{
    if (!in.args.empty() && (is_help(in.args.front()) || is_help(in.args.second()))) {
        print(std::string(usage()) + "\n");
        return {};
    }
    const auto request = parse(in.args);
    if (!request)
        return Failure{exit_usage, _("Usage: nm-ib port [list | show PORT|IFACE | monitor [PORT|IFACE...]] [--json]")};
    if (request->monitor) return monitor_ports(request->ports, request->json);
    const auto all = take_inventory(request->details || request->json, request->details ? request->ports.front() : "");
    if (!all)
        return Failure{all.error().kind == Error::Kind::absent ? exit_not_found : exit_failed,
                       form(_("Error: %s"), all.error().what.c_str())};
    if (request->json) {
        print_json(json_of(*all));
        return {};
    }
    Reasons reasons;
    const auto text = request->details ? details_of(in.options, *all, reasons) : list_of(in.options, *all, reasons);
    if (!text) return Failure{exit_usage, form(_("Error: %s"), text.error().what.c_str())};
    const bool terse = in.options.print == Options::Print::terse;
    print(all->devices.empty() && !terse ? std::string(_("No RDMA device is there.")) + "\n" : *text);
    for (const auto &reason : terse ? Reasons() : reasons)
        complain(form(_("note: '?' could not be read: %s"), printable(reason).c_str()));
    return {};
}

} // namespace nmib::cli
