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
    const Kind *kind;
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
                fields_[{find_kind("ports-differ"), listed({boards.begin(), boards.end()}, translate_)}].add(
                    std::to_string(cards.ports), name(*report));
        for (const auto &p : ports_) compare_links(p), compare_roce(p);
        subnets_ = merging::subnets_of(ports_);
        for (const auto *subnet : merging::with_one_manager(subnets_))
            for (const auto &p : subnet->ports)
                fields_[{find_kind("sm-differs"), hex(subnet->prefix, 16)}].add(std::to_string(*p.port->sm_lid),
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
            fields_[{find_kind("firmware-differs"), *device.board_id}].add(*device.firmware, host);
    }
    void compare(const Subnet &subnet)
    {
        for (const auto &p : subnet.ports) {
            if (p.port->info)
                fields_[{find_kind("port-mtu-differs"), subnet.str()}].add(std::to_string(p.port->info->mtu), p.host);
            for (const auto &n : p.port->interfaces) {
                if (!n.infiniband || !n.up || !n.pkey) continue;
                const auto key = n.pkey->full().str();
                const std::string mode(n.mode ? nmib::name(*n.mode) : "");
                if (n.mode) fields_[{find_kind("mode-differs"), key, subnet.str()}].add(mode, p.host);
                fields_[{find_kind("mtu-differs"), key, subnet.str(), mode}].add(std::to_string(n.mtu), p.host);
                if (const auto full = membership(*p.port, n.pkey->partition()))
                    add_name(members_[{find_kind("limited-members"), key, subnet.str()}][*full], p.host);
            }
        }
    }
    /// Only ports of cards of one kind with one name are compared. Equal machines name them alike.
    void compare_links(const PortOf &p)
    {
        if (!p.device->board_id || p.device->physical_function || !p.port->state) return;
        const auto label = p.device->label(*p.port);
        const bool is_active = *p.port->state == PortState::active;
        fields_[{find_kind("port-state-differs"), label, *p.device->board_id}].add(std::string(word(*p.port->state)),
                                                                                   p.host);
        if (is_active && p.port->rate)
            fields_[{find_kind("rate-differs"), label, *p.device->board_id}].add(p.port->rate->str(), p.host);
    }
    /// The hosts that communicate are unknown. Only hosts with the same card under the same name are compared.
    void compare_roce(const PortOf &p)
    {
        const auto &port = *p.port;
        if (!port.layer || *port.layer != LinkLayer::roce || !port.state || *port.state != PortState::active) return;
        const auto add_value = [&](const Kind *kind, const std::string &value) {
            fields_[{kind, p.device->label(port), {}, p.device->board_id ? *p.device->board_id : ""}].add(value,
                                                                                                          p.host);
        };
        if (const auto mode = merging::roce_mode_of(port); !mode.empty())
            add_value(find_kind("roce-mode-differs"), mode);
        if (!port.interfaces.empty())
            add_value(find_kind("roce-mtu-differs"), std::to_string(port.interfaces.front().mtu));
        if (const auto *gid = merging::first_routable(port))
            add_value(find_kind("roce-gid-differs"), std::to_string(gid->index));
    }

    void add(Trouble trouble) { merged_.troubles.push_back(std::move(trouble)); }
    /// `names`: the hosts, or more about each host.
    void add(const Kind *kind, Severity severity, std::string where, const Names &names, Names hosts,
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
            add(find_kind("same-guid"), Severity::error, listed(guids, translate_), hosts, hosts);
        for (const auto &[host, files] : files_)
            if (files.size() > 1) add(find_kind("same-host-name"), Severity::warning, host, files, {host});
        for (const auto &[description, hosts] : descriptions_)
            if (hosts.size() > 1) add(find_kind("same-description"), Severity::warning, description, hosts, hosts);
    }
    void add_alike()
    {
        for (const auto &subnet : subnets_) {
            if (!subnet.alike) continue;
            Names hosts;
            for (const auto &p : subnet.ports) add_name(hosts, p.host);
            // Separate fabrics with the default prefix are common, and work.
            const auto severity = subnet.prefix == default_prefix ? Severity::note : Severity::warning;
            add(find_kind("subnets-alike"), severity, subnet.str(),
                {subnet.alike->first.str(), subnet.alike->second.str()}, hosts);
        }
    }
    void add_no_common_pkey()
    {
        for (const auto &subnet : subnets_) {
            if (subnet.alike) continue;
            for (auto &[one, other] : merging::without_common_key(subnet))
                add(find_kind("no-common-pkey"), Severity::note, subnet.str(),
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
            add(find_kind("host-finding"), found_by_hosts.severity, id, found_by_hosts.places, found_by_hosts.hosts,
                found_by_hosts.first);
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
    merged.troubles.push_back({.kind = find_kind("host-missing"),
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

} // namespace nmib
