// SPDX-License-Identifier: LGPL-2.1-or-later
#include "apply/base/file.hpp"
#include "core/base/message.hpp"
#include "nm-ib/command.hpp"
#include "nm-ib/operands.hpp"
#include "verbs/doctor/check/check.hpp"
#include "verbs/doctor/doctor.hpp"
#include "verbs/host/host.hpp"
#include "verbs/name/name.hpp"
#include "verbs/plan/plan.hpp"
#include "verbs/port/port.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
using Option = CommandOption;

constexpr Option json{"--json", N_("one JSON object in UTF-8, for programs")},
    dry_run{"--dry-run", N_("show what would be written, and write nothing")},
    yes{"--yes", N_("do not ask before the change")},
    now{"--now", N_("rename now, with P_Key children and profiles, not at the next boot")},
    force{"--force", N_("override what nm-ib refuses without --force; replace a file that was changed by hand")},
    no_initramfs{"--no-initramfs", N_("do not rebuild the initramfs")};

constexpr Option with_json[] = {json};
constexpr Option metrics{"--metrics", N_("the text format of Prometheus")};
constexpr Option port_list[] = {metrics, json};
constexpr const char *rdma_text =
    N_("set: also name the RDMA device, NAME or the port's name; unset, propose: RDMA devices only");
constexpr Option name_set[] = {
    {"--match", N_("find the port by its GUID, or by its place in the machine"), "guid|path"},
    {"--rdma", rdma_text, "[NAME]"},
    now,
    force,
    no_initramfs,
    dry_run,
    json};
constexpr Option rdma{"--rdma", rdma_text};
constexpr Option name_unset[] = {rdma, force, no_initramfs, dry_run, json};
constexpr Option name_propose[] = {rdma, yes, now, no_initramfs, dry_run, json};
constexpr Option name_import[] = {yes, force, no_initramfs, dry_run, json};
constexpr Option doctor[] = {
    {"--fix", N_("run the safe commands for the findings with these IDs, or for all, after a question"), "[ID...]"},
    yes,
    {"--expect", N_("report what differs from a file, or fewer ports (8@400); now: print such a file"),
     "FILE|now|COUNT@GBPS..."},
    {"--ignore", N_("leave out findings, everywhere or at one place"), "ID[:WHERE]..."},
    {"--nagios", N_("one line and the exit codes of a Nagios plugin")},
    metrics,
    {"--merge", N_("compare many hosts, by files of port --json and doctor --json"), "FILE..."},
    {"--hosts", N_("with --merge: the hosts that should have a report, one on each line"), "FILE"},
    json};
constexpr Option check[] = {{"-4", N_("by IPv4")},
                            {"-6", N_("by IPv6")},
                            {"--no-iperf", N_("do not measure the throughput")},
                            {"--time", N_("seconds that iperf3 sends (5)"), "SEC"},
                            {"--at-least", N_("warn below this percentage of the data rate (50)"), "PERCENT"},
                            json};
constexpr Option host_force{"--force", N_("replace or remove a file that was changed by hand, and keep a copy")};
constexpr Option host[] = {host_force, dry_run, json};

/// Serialises the commands: each one reads the files that the previous one wrote.
template<HostNoun noun, AddHostRows rows> Status host_of(const Request &request)
{
    if (request.words.empty() || request.has("--dry-run")) return run_noun(request, noun, rows);
    const FileLock lock("/run", "nm-ib-host.lock", [] { note(_("another nm-ib changes settings: waiting")); });
    return run_noun(request, noun, rows);
}
template<NameVerb verb> Status name(const Request &request) { return verb(NameRequest::of(request)); }
template<NameVerb verb> Status change_names(const Request &request)
{
    if (request.has("--dry-run")) return name<verb>(request);
    const FileLock lock("/run", "nm-ib-name.lock", [] { note(_("another nm-ib changes names: waiting")); });
    return name<verb>(request);
}

/// An abbreviation means the first match.
constexpr Command commands[] = {
    {"plan", "", "[PROFILE|IFACE|PORT]", 0, 1, with_json,
     N_("the state of InfiniBand interfaces, what profiles request, and what would change"), plan_machine,
     profile_operands},
    {"apply", "", "PROFILE|IFACE|PORT", 1, 1, {}, N_("apply the plan for one interface"), apply_now, profile_operands},
    {"name", "list", "", 0, 0, with_json,
     N_("every InfiniBand port, its interface, its name from nm-ib, and whether the name holds"), name<list_names>},
    {"name", "set", "PORT NAME", 2, 2, name_set,
     N_("give the interface of a port a stable name, by a systemd .link file"), change_names<set_name>,
     name_set_operands},
    {"name", "unset", "PORT|NAME", 1, 1, name_unset, N_("remove such a name"), change_names<unset_name>,
     name_unset_operands},
    {"name", "check", "", 0, 0, with_json, N_("whether every name holds; exit status 1 if not"), name<check_names>},
    {"name", "propose", "", 0, 0, name_propose,
     N_("propose a name for each port without one; write the names after a question"),
     change_names<propose_names_verb>},
    {"name", "import", "", 0, 0, name_import,
     N_("replace names that .link files and udev rules tie to a hardware address"), change_names<import_names>},
    {"port", "list", "", 0, 0, port_list, N_("every port of an RDMA device, and the interfaces on it"), list_ports},
    {"port", "show", "PORT|IFACE", 1, 1, with_json,
     N_("everything about one port: card, firmware, address, P_Keys, GIDs"), show_port, port_operands},
    {"doctor", "", "[PORT|IFACE|PROFILE]", 0, 1, doctor, N_("faults, why they matter, and how to correct them"),
     diagnose_machine, port_operands},
    {"check", "", "PEER", 1, 1, check, N_("whether this machine reaches another one, as fast as it should"),
     check_peer},
    {"host", "list", "", 0, 0, with_json, N_("what is set by which program, what is in effect, what is to be done"),
     show_host},
    {"host", "memlock", "[@GROUP unlimited|SIZE|unset]", 0, 2, host,
     N_("how much memory the users of a group may lock"), host_of<host_memlock, add_memlock_rows>},
    {"host", "opensm", "[unset|GUID...]", 0, any_number, host, N_("the ports on which a subnet manager runs"),
     host_of<host_opensm, add_opensm_rows>, guid_operands},
    {"host", "rails", "[unset|IFACE...]", 0, any_number, host,
     N_("interfaces that share an IPv4 subnet, each with its own ARP answers, route and rule"),
     host_of<host_rails, add_rails_rows>, rail_operands},
};

constexpr const char *ports = N_("IFACE is an interface (ib0). PORT is a port GUID, an HCA (mlx5_0) or a PCI address "
                                 "(0000:05:00.0). HCA and PCI address may have a port number (mlx5_0/1).");
constexpr const char *named_ports =
    N_("PORT is the interface of a port (ib0), a port GUID, an HCA (mlx5_0) or a PCI address "
       "(0000:05:00.0). HCA and PCI address may have a port number (mlx5_0/1).");
constexpr CommandPage pages[] = {
    {"port", ports, "nm-ib-port(1)"},
    {"plan", ports, "nm-ib(1)"},
    {"apply", ports, "nm-ib(1)"},
    {"doctor", ports, "nm-ib-doctor(7)"},
    {"check", N_("PEER is a name or an address of another machine."), "nm-ib-check(1)"},
    {"name", named_ports, "nm-ib-name(1)"},
    {"host", N_("A noun alone shows what is set. With words it writes a file of its own; 'unset' removes the file."),
     "nm-ib-host(1)"},
};
} // namespace

std::span<const Command> all_commands() noexcept { return commands; }

const CommandPage &page_of(std::string_view object) noexcept
{
    return *std::find_if(std::begin(pages), std::end(pages), [&](const CommandPage &p) { return p.object == object; });
}

} // namespace nmib::cli
