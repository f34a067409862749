// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/merge.hpp"

#include "core/base/text.hpp"
#include "core/doctor/diagnose.hpp"
#include "core/merge/difference.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace nmib
{

namespace
{
using merging::add_name, merging::guids_of, merging::listed, merging::Names, merging::PortOf, merging::Subnet;
using Severity = Trouble::Severity;

constexpr Trouble::Kind kinds[] = {
    {"same-guid", N_("several hosts have the same GUID: {value}: {where}"),
     N_("The subnet manager cannot distinguish the ports: one port gets no address, or both ports lose their "
        "addresses in turn."),
     Trouble::By::hands,
     N_("Give each card the GUIDs that its label has, with the vendor's tool; of virtual functions: ip link set PF vf "
        "NUMBER node_guid GUID port_guid GUID")},
    {"same-host-name", N_("several hosts have the name {where}: {value}"),
     N_("In the map of the fabric, in logs and in job files, the hosts cannot be distinguished."), Trouble::By::hands,
     N_("On all but one: hostnamectl set-hostname NAME")},
    {"same-description", N_("several hosts have cards with the node description '{where}': {value}"),
     N_("The cards have the same name in the map of the fabric (ibnetdiscover, ibdiagnet), where a "
        "faulty card cannot be found."),
     Trouble::By::hands,
     N_("On each host: systemctl enable --now rdma-ndd; rdma-ndd writes the host name into the node description")},
    {"sm-differs", N_("ports with the subnet prefix {where} have different subnet managers: SM LID {value}"),
     N_("Two independent subnet managers in one subnet overwrite each other's LIDs and P_Keys. If these are separate "
        "fabrics, no program can distinguish them, because they have one prefix."),
     Trouble::By::hands,
     N_("On a host of each, run: sminfo; then stop one of two in one fabric, or give each fabric "
        "its own subnet_prefix in opensm.conf")},
    {"subnets-alike", N_("several fabrics have the subnet prefix {where}: {value} have one LID"),
     N_("The fabric of a port is not known: MTU and mode of the partitions were not compared. "
        "Programs that use several ports have the same difficulty."),
     Trouble::By::hands, N_("Give each fabric its own subnet_prefix in the opensm.conf of its subnet manager")},
    {"port-mtu-differs", N_("ports of the subnet {where} have different InfiniBand MTUs: {value}"),
     N_("A program that sets up queue pairs without a path query takes the MTU of its own port. "
        "The transfer hangs, or ends with a local length error."),
     Trouble::By::hands,
     N_("Look at the larger ones: nm-ib port show PORT; the card or the switch at the other end allows no more, or is "
        "set to less")},
    {"mode-differs",
     N_("partition {where} of the subnet {subject}: its members have different transport modes: {value}"),
     N_("The MTU of a connected member is too large for a datagram member. Traffic that does not "
        "detect this, above all multicast, loses large packets."),
     Trouble::By::hands,
     N_("On the hosts that differ: nmcli connection modify PROFILE infiniband.transport-mode MODE; nmcli connection up "
        "PROFILE")},
    {"mtu-differs", N_("partition {where} of the subnet {subject}: its members have different MTUs: {value}"),
     N_("TCP adapts its packets. Larger packets of other protocols, above all multicast, are lost on the way to the "
        "member with the smallest MTU."),
     Trouble::By::hands,
     N_("On the hosts that differ: nmcli connection modify PROFILE infiniband.mtu MTU; nmcli "
        "connection up PROFILE; to see the possible MTUs: nm-ib plan")},
    {"limited-members", N_("partition {where} of the subnet {subject}: limited members: {value}"),
     N_("Limited members reach only full members."), Trouble::By::hands,
     N_("In partitions.conf of the subnet manager: make those that have to reach each other full members (=full)")},
    {"no-common-pkey",
     N_("subnet {where}: the hosts {value} have no common P_Key in which one of them is a full member"),
     N_("These hosts cannot reach each other over InfiniBand, whatever their addresses. For tenants this is intended."),
     Trouble::By::hands,
     N_("If they must communicate: put both hosts into one partition in partitions.conf of the subnet manager, one of "
        "them as a full member (=full)")},
    {"firmware-differs", N_("cards with the board id {where} have different firmware: {value}"),
     N_("What works on one host may fail on another: modes, virtual functions, speeds of cables."), Trouble::By::hands,
     N_("With the vendor's tool, on the hosts that differ: mstflint -d PCI_ADDRESS query; then burn the firmware that "
        "the others have")},
    {"roce-mode-differs", N_("RoCE ports {where} use different RoCE versions: {value}"),
     N_("The two versions do not work together: connections end with 'retry counter exceeded'."), Trouble::By::hands,
     N_("On the hosts that differ: nm-ib connection modify PROFILE rdma.roce-mode v2; nmcli connection up PROFILE, and "
        "an IPv4 or global IPv6 address on the interface")},
    {"roce-gid-differs", N_("RoCE ports {where} have their first routable RoCE v2 GID at different indices: {value}"),
     N_("A program with one index for all hosts takes a GID of another version or address on some "
        "hosts, and its queue pairs time out."),
     Trouble::By::hands,
     N_("Give each host its own index (nm-ib port show PORT), or use a program that finds the "
        "index, for instance with the RDMA connection manager")},
    {"roce-mtu-differs", N_("RoCE ports {where} have interfaces with different MTUs: {value}"),
     N_("The RDMA MTU follows from this MTU: queue pairs with the larger MTU hang, or end with a local length error."),
     Trouble::By::hands,
     N_("On the hosts that differ: nmcli connection modify PROFILE 802-3-ethernet.mtu MTU; nmcli connection up "
        "PROFILE")},
    {"rate-differs", N_("ports {where} of cards with the board id {subject} have different rates: {value}"),
     N_("A program on many hosts is as slow as the slowest port."), Trouble::By::hands,
     N_("On the hosts with the lower rate: nm-ib doctor; it names lost lanes, and what limits a link")},
    {"port-state-differs", N_("ports {where} of cards with the board id {subject} have different states: {value}"),
     N_("On some hosts the port works, on others it does not: perhaps a cable is missing."), Trouble::By::hands,
     N_("On the hosts that differ: nm-ib doctor PORT; it names the cause")},
    {"ports-differ", N_("hosts with cards with the board ids {where} have different numbers of ports: {value}"),
     N_("Perhaps a card is lost."), Trouble::By::hands,
     N_("On the hosts with fewer ports: nm-ib doctor, and lspci -d 15b3:")},
    {"host-missing", N_("expected hosts without a report: {where}"), N_("Their ports were not compared."),
     Trouble::By::hands, N_("Look whether these hosts run, and repeat the collection")},
    {"host-finding", N_("reported by the hosts: {where}: {value}; the first report: {subject}"),
     N_("The reports of the hosts have this finding; nm-ib lists the finding once for all hosts."), Trouble::By::hands,
     N_("On each host: nm-ib doctor")},
};

/// Returns true if the port is a full member of the partition; nullopt without an entry in its table.
std::optional<bool> membership(const RdmaPort &port, std::uint16_t partition)
{
    std::optional<bool> full;
    if (port.pkeys)
        for (const auto &entry : *port.pkeys)
            if (entry.key.partition() == partition) full = full.value_or(false) || entry.key.full_member();
    return full;
}

/// A field that should have the same value on all hosts.
struct Field {
    const Trouble::Kind *kind;
    std::string where{}, subject{}; ///< for the texts
    std::string among{};            ///< hosts are compared only if this is equal
    bool operator<(const Field &other) const noexcept
    {
        return std::tie(kind, where, subject, among) < std::tie(other.kind, other.where, other.subject, other.among);
    }
};

/// Collects fields that differ but should not, and values that are equal but should not.
class Comparison
{
public:
    Comparison(const std::vector<HostReport> &reports, Translate translate) : reports_(reports), translate_(translate)
    {
        for (const auto &report : reports)
            if (report.has_ports) files_[report.host].push_back(report.file);
        for (const auto &report : reports) {
            for (const auto guid : guids_of(report)) add_name(guids_[guid], name(report));
            for (const auto &device : report.devices) {
                compare(name(report), device);
                for (const auto &port : device.ports) ports_.push_back({name(report), &device, &port});
            }
        }
        for (const auto &[report, cards] : merging::cards_of(reports))
            if (const auto &boards = cards.boards; !boards.empty())
                fields_[{find_kind(kinds, "ports-differ"), listed({boards.begin(), boards.end()}, translate_)}].add(
                    std::to_string(cards.ports), name(*report));
        for (const auto &p : ports_) compare_links(p), compare_roce(p);
        subnets_ = merging::subnets_of(ports_);
        for (const auto *subnet : merging::with_one_manager(subnets_))
            for (const auto &p : subnet->ports)
                fields_[{find_kind(kinds, "sm-differs"), hex(subnet->prefix, 16)}].add(std::to_string(*p.port->sm_lid),
                                                                                       p.host);
        for (const auto &subnet : subnets_)
            if (!subnet.alike) compare(subnet);
    }
    Merged result()
    {
        add_same();
        for (const auto &[field, values] : fields_)
            if (values.between_hosts())
                add({.kind = field.kind,
                     .severity = Severity::warning,
                     .where = field.where,
                     .subject = field.subject,
                     .value = values.text(translate_),
                     .hosts = values.odd()});
        add_alike();
        add_limited();
        add_no_common_pkey();
        add_host_findings();
        sort(merged_.troubles);
        std::set<std::string> hosts;
        for (const auto &report : reports_)
            if (report.has_ports || !files_.contains(report.host)) hosts.insert(name(report));
        merged_.hosts = hosts.size();
        merged_.ports = ports_.size();
        return std::move(merged_);
    }

private:
    /// The host's name, with the file if two hosts have one name.
    std::string name(const HostReport &report) const
    {
        const auto files = files_.find(report.host);
        const bool is_shared = report.has_ports && files->second.size() > 1;
        return is_shared ? report.host + " (" + report.file + ")" : report.host;
    }
    void compare(const std::string &host, const RdmaDevice &device)
    {
        const auto is_infiniband = [](const RdmaPort &p) { return p.layer && *p.layer == LinkLayer::infiniband; };
        if (device.description && std::any_of(device.ports.begin(), device.ports.end(), is_infiniband))
            add_name(descriptions_[*device.description], host); // not used on Ethernet
        if (device.board_id && device.firmware && !device.physical_function)
            fields_[{find_kind(kinds, "firmware-differs"), *device.board_id}].add(*device.firmware, host);
    }
    void compare(const Subnet &subnet)
    {
        for (const auto &p : subnet.ports) {
            if (p.port->info)
                fields_[{find_kind(kinds, "port-mtu-differs"), subnet.str()}].add(std::to_string(p.port->info->mtu),
                                                                                  p.host);
            for (const auto &n : p.port->interfaces) {
                if (!n.infiniband || !n.up || !n.pkey) continue;
                const auto key = n.pkey->full().str();
                const std::string mode(n.mode ? nmib::name(*n.mode) : "");
                if (n.mode) fields_[{find_kind(kinds, "mode-differs"), key, subnet.str()}].add(mode, p.host);
                fields_[{find_kind(kinds, "mtu-differs"), key, subnet.str(), mode}].add(std::to_string(n.mtu), p.host);
                if (const auto full = membership(*p.port, n.pkey->partition()))
                    add_name(members_[{find_kind(kinds, "limited-members"), key, subnet.str()}][*full], p.host);
            }
        }
    }
    /// Only ports of cards of one kind with one name are compared. Equal machines name them alike.
    void compare_links(const PortOf &p)
    {
        if (!p.device->board_id || p.device->physical_function || !p.port->state) return;
        const auto label = p.device->label(*p.port);
        const bool is_active = *p.port->state == PortState::active;
        fields_[{find_kind(kinds, "port-state-differs"), label, *p.device->board_id}].add(
            std::string(word(*p.port->state)), p.host);
        if (is_active && p.port->rate)
            fields_[{find_kind(kinds, "rate-differs"), label, *p.device->board_id}].add(p.port->rate->str(), p.host);
    }
    /// The hosts that communicate are unknown. Only hosts with the same card under the same name are compared.
    void compare_roce(const PortOf &p)
    {
        const auto &port = *p.port;
        if (!port.layer || *port.layer != LinkLayer::roce || !port.state || *port.state != PortState::active) return;
        const auto add_value = [&](const Trouble::Kind *kind, const std::string &value) {
            fields_[{kind, p.device->label(port), {}, p.device->board_id ? *p.device->board_id : ""}].add(value,
                                                                                                          p.host);
        };
        if (const auto mode = merging::roce_mode_of(port); !mode.empty())
            add_value(find_kind(kinds, "roce-mode-differs"), mode);
        if (!port.interfaces.empty())
            add_value(find_kind(kinds, "roce-mtu-differs"), std::to_string(port.interfaces.front().mtu));
        if (const auto *gid = merging::first_routable(port))
            add_value(find_kind(kinds, "roce-gid-differs"), std::to_string(gid->index));
    }

    void add(Trouble trouble) { merged_.troubles.push_back(std::move(trouble)); }
    /// `names`: the hosts, or more about each host.
    void add(const Trouble::Kind *kind, Severity severity, std::string where, const Names &names, Names hosts,
             std::string subject = {})
    {
        add({.kind = kind,
             .severity = severity,
             .where = std::move(where),
             .subject = std::move(subject),
             .value = listed(names, translate_),
             .hosts = std::move(hosts)});
    }
    void add_same()
    {
        std::map<Names, Names> shared; // the GUIDs that a group of hosts shares
        for (const auto &[guid, hosts] : guids_)
            if (hosts.size() > 1) shared[hosts].push_back(guid.str());
        for (const auto &[hosts, guids] : shared)
            add(find_kind(kinds, "same-guid"), Severity::error, listed(guids, translate_), hosts, hosts);
        for (const auto &[host, files] : files_)
            if (files.size() > 1) add(find_kind(kinds, "same-host-name"), Severity::warning, host, files, {host});
        for (const auto &[description, hosts] : descriptions_)
            if (hosts.size() > 1)
                add(find_kind(kinds, "same-description"), Severity::warning, description, hosts, hosts);
    }
    void add_alike()
    {
        for (const auto &subnet : subnets_) {
            if (!subnet.alike) continue;
            Names hosts;
            for (const auto &p : subnet.ports) add_name(hosts, p.host);
            // Separate fabrics with the default prefix are common, and work.
            const auto severity = subnet.prefix == default_prefix ? Severity::note : Severity::warning;
            add(find_kind(kinds, "subnets-alike"), severity, subnet.str(),
                {subnet.alike->first.str(), subnet.alike->second.str()}, hosts);
        }
    }
    void add_no_common_pkey()
    {
        for (const auto &subnet : subnets_) {
            if (subnet.alike) continue;
            for (auto &[one, other] : merging::without_common_key(subnet))
                add(find_kind(kinds, "no-common-pkey"), Severity::note, subnet.str(),
                    {listed(one, translate_) + " / " + listed(other, translate_)}, one);
        }
    }
    void add_limited()
    {
        for (auto &[field, of] : members_) {
            const auto &limited = of[false], &full = of[true];
            // Limited members beside full members may be intended: clients that reach the servers, but not each other.
            const auto severity = full.empty() ? Severity::warning : Severity::note;
            if (limited.size() > 1) add(field.kind, severity, field.where, limited, limited, field.subject);
        }
    }
    void add_host_findings()
    {
        struct Reported {
            Names places{}, hosts{};
            std::string first{};
            Severity severity = Severity::note;
        };
        std::map<std::string, Reported> of_id;
        for (const auto &report : reports_)
            for (const auto &found : report.findings) {
                auto &found_by_hosts = of_id[found.id];
                if (found_by_hosts.hosts.empty()) found_by_hosts.first = found.seen;
                add_name(found_by_hosts.places, report.host + (found.where.empty() ? "" : " " + found.where));
                add_name(found_by_hosts.hosts, report.host);
                found_by_hosts.severity = std::max(found_by_hosts.severity, found.severity);
            }
        for (const auto &[id, found_by_hosts] : of_id)
            add(find_kind(kinds, "host-finding"), found_by_hosts.severity, id, found_by_hosts.places,
                found_by_hosts.hosts, found_by_hosts.first);
    }

    const std::vector<HostReport> &reports_;
    const Translate translate_;
    std::map<std::string, Names> files_{}; ///< by host name
    std::vector<PortOf> ports_{};
    std::vector<Subnet> subnets_{};
    std::map<Field, merging::Differing> fields_{};
    std::map<Guid, Names> guids_{};
    std::map<std::string, Names> descriptions_{};
    std::map<Field, std::map<bool, Names>> members_{}; ///< of a partition: full members (true), limited members (false)
    Merged merged_{};
};
} // namespace

Merged merge(std::vector<HostReport> reports, std::span<const std::string> expected, Translate translate)
{
    const auto kept = merging::last_of_each(std::move(reports));
    auto merged = Comparison(kept, translate).result();
    const auto missing = merging::without_report(kept, expected);
    if (missing.empty()) return merged;
    merged.troubles.push_back({.kind = find_kind(kinds, "host-missing"),
                               .severity = Severity::warning,
                               .where = listed(missing, translate),
                               .hosts = missing});
    sort(merged.troubles);
    return merged;
}

std::vector<Trouble> combined(std::vector<Trouble> troubles)
{
    std::vector<Trouble> all;
    for (auto &t : troubles) {
        const auto same = std::find_if(all.begin(), all.end(), [&](const Trouble &other) {
            return std::tie(other.kind, other.subject, other.value, other.hosts) ==
                   std::tie(t.kind, t.subject, t.value, t.hosts);
        });
        if (same == all.end())
            all.push_back(std::move(t));
        else
            same->where += ", " + t.where;
    }
    return all;
}

std::span<const Trouble::Kind> merge_kinds() noexcept { return kinds; }

} // namespace nmib
