// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/verb/help.hpp"

#include "cli/nmcli/nmcli.hpp"
#include "config.h"
#include "core/translate.hpp"

#include <algorithm>
#include <cstdio>

namespace nmib::cli
{

namespace
{
/// What the options mean for `connection add` and `connection modify`.
constexpr const char *saving =
    N_("nm-ib: for InfiniBand profiles also\n"
       "  --with-parent   add a profile for the parent of a P_Key where there is none\n"
       "  --strict        save nothing where a warning is due\n"
       "  infiniband.mac-address takes a port GUID, too. Parent and interface-name follow a P_Key.\n"
       "and for other profiles, too\n"
       "  rdma.roce-mode v1|v2, rdma.roce-tos 0..255, rdma.soft-rdma rxe|siw|none,\n"
       "  rdma.vf-guids auto|VF=GUID,..., rdma.skip yes|no: what the RDMA device shall have; \"\" takes it back\n");

struct Help {
    std::string_view verb;
    Words nmcli; ///< the words for its own help
    const char *ours;
};
const Help pages[] = {
    {"",
     {"help"},
     N_("nm-ib: all of nmcli, and\n"
        "  plan [PROFILE|IFACE]    how InfiniBand interfaces are, what profiles ask, and what would change\n"
        "  apply IFACE             carry that out now\n"
        "  name [VERB]             names of ports that stay\n"
        "  port [list]             every port of an RDMA device, and the interfaces on it\n"
        "  port show PORT|IFACE    everything about one\n"
        "  port monitor            what changes about them, as it happens\n"
        "  doctor [PORT|IFACE|PROFILE]  what is wrong, why it matters, and what mends it; of many hosts: --merge\n"
        "  host [NOUN]             settings of the machine: memlock, NFS server, modules, subnet manager\n"
        "  check PEER              does it reach another machine, as fast as it should\n"
        "  --strict, --with-parent in connection add and modify: see nm-ib connection add help\n"
        "nm-ib(1) has more.\n")},
    {"add", {"connection", "add", "help"}, saving},
    {"modify", {"connection", "modify", "help"}, saving},
    {"plan", {}, N_("Usage: nm-ib plan [PROFILE|IFACE] [--json]\n")},
    {"apply", {}, N_("Usage: nm-ib apply IFACE\n")},
    {"doctor",
     {},
     N_("Usage: nm-ib doctor [PORT|IFACE|PROFILE] [--json] [--fix [ID...] [--yes]]\n"
        "       nm-ib doctor --merge FILE... [--json]\n")},
    {"check", {}, N_("Usage: nm-ib check PEER [-4|-6] [--no-iperf] [--time SEC] [--at-least PERCENT] [--json]\n")},
};
} // namespace

bool wants_help(std::string_view verb, const std::string &word)
{
    if (verb == "name" || verb == "port" || verb == "host") return false; // they have pages of their own
    return word == "help" || word == "-h" || word == "--help" || ((verb == "add" || verb == "modify") && is_help(word));
}

std::optional<Failure> print_help(std::string_view verb)
{
    const auto page = std::find_if(std::begin(pages), std::end(pages), [&](const Help &h) { return h.verb == verb; });
    if (!page->nmcli.empty()) {
        const auto run = run_nmcli(page->nmcli);
        if (!run) return Failure{exit_failed, run.error().what};
        std::fputs((run->out + run->err + "\n").c_str(), stdout); // in the characters of the locale already
    }
    print(_(page->ours));
    return {};
}

std::optional<Failure> print_version()
{
    const auto run = run_nmcli({"--version"});
    if (!run) return Failure{exit_failed, run.error().what};
    print(run->out + "nm-ib " NMIB_VERSION "\n");
    return {};
}

} // namespace nmib::cli
