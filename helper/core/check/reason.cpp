// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/check/reason.hpp"

#include "core/check/rate.hpp"
#include "core/message.hpp"
#include "core/printable.hpp"

namespace nmib
{

namespace
{
enum Place { peer_mtu, datagram_mode, small_group, tso_quirk, tso_off, one_stream, pci_link, processor };
constexpr CheckReason::Kind kinds[] = {
    {"peer-mtu",
     N_("TCP agreed on segments of {subject} bytes, as for an MTU of {value}: that is the MTU of {peer}, or of the way "
        "there, and less than that of {where}"),
     N_("Give both ends the same mode and MTU; the other end's show with: nm-ib port")},
    {"datagram-mode",
     N_("TCP segments have {subject} bytes: {where} is in datagram mode with MTU {value}, so the processor has many "
        "packets to deal with"),
     N_("Connected mode with MTU 65520, on both ends: nm-ib connection modify PROFILE transport-mode connected mtu "
        "65520")},
    {"small-group-mtu",
     N_("TCP segments have {subject} bytes: {where} has MTU {value}, as the subnet's broadcast group allows, and "
        "cannot do connected mode"),
     N_("Where all ports and switches can, let the subnet manager make the group with 4096 bytes, which is MTU 4092; "
        "opensm: mtu=5 in partitions.conf")},
    {"tso-off-by-quirk", N_("TSO is off on {where}, because of the quirk {value}: the processor cuts the segments"),
     N_("Leave it off, this card needs it so; connected mode does without TSO")},
    {"tso-off", N_("TSO is off on {where}: the processor cuts the segments"),
     N_("Where the card offers it: ethtool -K {where} tso on")},
    {"one-stream", N_("{value} sent one stream, which one processor carries on each end"),
     N_("See what several carry together: iperf3 -c {peer} -P 4; before iperf3 3.16 as processes of their own, since "
        "all streams share one thread")},
    {"pci-link", N_("the PCI link of {where} ({subject}) carries {value}, less than the port"),
     N_("Put the card into a slot with more lanes, or of a later generation; what card and slot can: lspci -vv")},
    // xgettext:no-c-format
    {"processor", N_("a processor is at its limit: {subject} % of one here, {value} % at {peer}"),
     N_("Look at the frequency governor, at where interrupts go (/proc/interrupts), and keep the program on the card's "
        "NUMA node")},
};

/// Per cent of one processor from which on it holds up a single-threaded program.
constexpr double busy = 85;

std::string filled(const char *text, const CheckReason &r, Translate translate)
{
    return message(translate, text, fmt::arg("where", printable(r.where)), fmt::arg("peer", printable(r.peer)),
                   fmt::arg("subject", printable(r.subject)), fmt::arg("value", printable(r.value)));
}

/// The segments that TCP agreed on say the smaller of both ends' MTUs, and mode with it.
const CheckReason::Kind *mtu_reason(const LinkSeen &link, const IperfSeen &iperf, Mtu headers) noexcept
{
    if (iperf.mss == 0) return nullptr;
    if (iperf.mss + headers + tcp_timestamps < link.mtu) return &kinds[peer_mtu];
    if (!link.ipoib || link.mode != TransportMode::datagram) return nullptr;
    if (link.can_connect) return &kinds[datagram_mode];
    return link.mtu <= 2048 - mtu::encapsulation ? &kinds[small_group] : nullptr;
}
} // namespace

std::string seen(const CheckReason &reason, Translate translate)
{
    return filled(reason.kind->seen, reason, translate);
}
std::string mend(const CheckReason &reason, Translate translate)
{
    return filled(reason.kind->mend, reason, translate);
}

std::span<const CheckReason::Kind> reason_kinds() noexcept { return kinds; }

std::vector<CheckReason> reasons(const std::string &peer, bool six, const LinkSeen &link, const IperfSeen &iperf)
{
    std::vector<CheckReason> all;
    const auto add = [&](const CheckReason::Kind &kind, std::string where, std::string subject, std::string value) {
        all.push_back({&kind, std::move(where), peer, std::move(subject), std::move(value)});
    };
    const auto headers = tcp_headers(six);
    if (const auto *kind = mtu_reason(link, iperf, headers)) {
        const auto agreed = kind == &kinds[peer_mtu] ? iperf.mss + headers + tcp_timestamps : link.mtu;
        add(*kind, link.interface, std::to_string(iperf.mss), std::to_string(agreed));
    }
    const bool cuts = link.mode != TransportMode::connected; // connected mode has no TSO and needs none
    if (cuts && link.tso == false)
        add(kinds[link.tso_quirk.empty() ? tso_off : tso_quirk], link.interface, "", link.tso_quirk);
    if (iperf.streams == 1) add(kinds[one_stream], "", "", iperf.version.empty() ? "iperf3" : iperf.version);
    if (link.pci_rate && link.data_rate && *link.pci_rate < *link.data_rate)
        add(kinds[pci_link], link.port, link.pci, rate_text(*link.pci_rate));
    if (iperf.cpu_here >= busy || iperf.cpu_there >= busy)
        add(kinds[processor], "", fmt::format("{:.0f}", iperf.cpu_here), fmt::format("{:.0f}", iperf.cpu_there));
    return all;
}

} // namespace nmib
