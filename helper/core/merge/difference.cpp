// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/difference.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <set>

namespace nmib::merging
{

namespace
{
/// Folds names that differ only in their last number, in Slurm's form: "node[0001-0003,0007]".
Names folded(Names names)
{
    constexpr auto digits = "0123456789";
    std::sort(names.begin(), names.end(), is_before);
    Names all;
    for (std::size_t at = 0, next = 0; at < names.size(); at = next) {
        const auto &first = names[at];
        const auto stem = first.find_last_not_of(digits) + 1;
        const auto is_alike = [&](const std::string &name) {
            return name.size() == first.size() && name.starts_with(first.substr(0, stem)) &&
                   name.find_first_not_of(digits, stem) == name.npos;
        };
        const bool is_host = stem < first.size() && first.find_first_of(" :/") == first.npos;
        for (next = at + 1; is_host && next < names.size() && is_alike(names[next]);) next++;
        if (next == at + 1) {
            all.push_back(first);
            continue;
        }
        std::string numbers;
        for (auto start = at; start < next;) {
            const auto number = [&](std::size_t i) { return std::stoull("0" + names[i].substr(stem).substr(0, 18)); };
            auto end = start;
            while (end + 1 < next && number(end + 1) == number(end) + 1) end++;
            numbers += (numbers.empty() ? "" : ",") + names[start].substr(stem);
            if (end > start) numbers += "-" + names[end].substr(stem);
            start = end + 1;
        }
        all.push_back(first.substr(0, stem) + "[" + numbers + "]");
    }
    return all;
}
} // namespace

std::string listed(const Names &all, Translate translate)
{
    constexpr std::size_t shown = 5; // JSON has all names
    const auto names = folded(all);
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), shown); i++) text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() <= shown) return text;
    return message(translate, N_("{names} and {count} more"), fmt::arg("names", text),
                   fmt::arg("count", names.size() - shown));
}

void add_name(Names &names, const std::string &name)
{
    if (names.empty() || names.back() != name) names.push_back(name);
}

bool Differing::between_hosts() const
{
    const auto is_of_another = [&](const auto &entry) { return entry.second != Names{hosts_.begin()->second.front()}; };
    return hosts_.size() > 1 && std::any_of(hosts_.begin(), hosts_.end(), is_of_another);
}

std::vector<std::pair<std::string, Names>> Differing::fewest_first() const
{
    std::vector<std::pair<std::string, Names>> all(hosts_.begin(), hosts_.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
    return all;
}

std::string Differing::text(Translate translate) const
{
    std::string text;
    for (const auto &[value, hosts] : fewest_first())
        text += (text.empty() ? "" : "; ") + value + ": " + listed(hosts, translate);
    return text;
}

Names Differing::odd() const
{
    auto all = fewest_first();
    const auto n = all.size();
    if (n > 1 && all[n - 1].second.size() > all[n - 2].second.size()) all.pop_back();
    Names names;
    for (const auto &[value, hosts] : all) names.insert(names.end(), hosts.begin(), hosts.end());
    return names;
}

namespace
{
/// Returns true if a subnet manager has set up the port, so that its subnet values are valid.
bool is_in_subnet(const RdmaPort &port)
{
    return port.layer && *port.layer == LinkLayer::infiniband && port.state && *port.state == PortState::active &&
           port.sm_lid && *port.sm_lid != 0 && subnet_prefix(port);
}

/// A virtual function in a guest has its card's LID and system GUID, so the hosts alone do not decide.
bool is_other_card(const PortOf &a, const PortOf &b)
{
    const auto &one = a.device->system_guid, &other = b.device->system_guid;
    return a.host != b.host && one && other && *one != *other;
}

std::optional<std::pair<PortOf, PortOf>> with_one_lid(const std::vector<PortOf> &ports)
{
    std::map<unsigned, const PortOf *> of_lid;
    for (const auto &p : ports) {
        if (!p.port->lid || *p.port->lid == 0 || *p.port->lid >= 0xc000) continue; // none, or a multicast LID
        const auto [first, is_new] = of_lid.emplace(*p.port->lid, &p);
        if (!is_new && is_other_card(*first->second, p)) return std::pair(*first->second, p);
    }
    return {};
}

/// Returns true if the subnets are certainly different fabrics: a LID in both, or a host in both, e.g. with two rails.
bool is_apart(const Subnet &one, const Subnet &other)
{
    std::set<std::string> hosts;
    std::set<unsigned> lids;
    for (const auto &p : one.ports) {
        hosts.insert(p.host);
        if (p.port->lid) lids.insert(*p.port->lid);
    }
    return std::any_of(other.ports.begin(), other.ports.end(), [&](const PortOf &p) {
        return hosts.contains(p.host) || (p.port->lid && lids.contains(*p.port->lid));
    });
}
} // namespace

std::string Subnet::str() const
{
    return hex(prefix, 16) + (prefix == default_prefix ? " (SM LID " + std::to_string(sm_lid) + ")" : "");
}

std::vector<Subnet> subnets_of(const std::vector<PortOf> &ports)
{
    std::map<std::pair<std::uint64_t, unsigned>, Subnet> subnets;
    for (const auto &p : ports) {
        if (!is_in_subnet(*p.port)) continue;
        const auto prefix = *subnet_prefix(*p.port);
        auto &subnet = subnets[{prefix, prefix == default_prefix ? *p.port->sm_lid : 0}];
        if (subnet.ports.empty()) subnet.prefix = prefix, subnet.sm_lid = *p.port->sm_lid;
        subnet.ports.push_back(p);
    }
    std::vector<Subnet> all;
    for (auto &[key, subnet] : subnets) {
        subnet.alike = with_one_lid(subnet.ports);
        all.push_back(std::move(subnet));
    }
    return all;
}

std::vector<const Subnet *> with_one_manager(const std::vector<Subnet> &subnets)
{
    const Subnet *largest = nullptr;
    const auto may_be_part = [](const Subnet &s) { return s.prefix == default_prefix && !s.alike; };
    for (const auto &s : subnets)
        if (may_be_part(s) && (!largest || s.ports.size() > largest->ports.size())) largest = &s;
    std::vector<const Subnet *> all;
    for (const auto &s : subnets)
        if (s.prefix != default_prefix || &s == largest || (may_be_part(s) && !is_apart(*largest, s)))
            all.push_back(&s);
    return all;
}

std::vector<std::pair<Names, Names>> without_common_key(const Subnet &subnet)
{
    constexpr std::size_t most = 64;
    using Table = std::map<std::uint16_t, bool>; // partition: full member
    std::map<std::string, Table> of_host;
    for (const auto &p : subnet.ports)
        if (p.port->pkeys)
            for (const auto &e : *p.port->pkeys) of_host[p.host][e.key.partition()] |= e.key.full_member();
    std::map<Table, Names> tables; // hosts with one table are alike
    for (const auto &[host, table] : of_host) tables[table].push_back(host);
    std::vector<std::pair<Names, Names>> all;
    if (tables.size() > most) return all;
    for (auto a = tables.begin(); a != tables.end(); a++)
        for (auto b = std::next(a); b != tables.end(); b++) {
            const bool reaches = std::any_of(a->first.begin(), a->first.end(), [&](const auto &entry) {
                const auto other = b->first.find(entry.first);
                return other != b->first.end() && (entry.second || other->second);
            });
            if (!reaches) all.emplace_back(a->second, b->second);
        }
    return all;
}

std::vector<std::pair<const HostReport *, Cards>> cards_of(const std::vector<HostReport> &reports)
{
    using Hosts = std::vector<std::size_t>; // indices of `all`
    std::vector<std::pair<const HostReport *, Cards>> all;
    std::map<std::string, std::map<std::set<std::string>, Hosts>> siblings; // by the name without its last number
    for (const auto &report : reports) {
        if (!report.has_ports) continue;
        Cards cards;
        for (const auto &device : report.devices) {
            if (device.physical_function || !device.board_id) continue; // software has no board
            cards.boards.insert(*device.board_id);
            cards.ports += device.ports.size();
        }
        const auto host = report.host.substr(0, report.host.find('.'));
        siblings[host.substr(0, host.find_last_not_of("0123456789") + 1)][cards.boards].push_back(all.size());
        all.emplace_back(&report, std::move(cards));
    }
    for (const auto &[stem, kinds] : siblings) {
        std::size_t number = 0;
        for (const auto &[boards, hosts] : kinds) number += hosts.size();
        const auto usual =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto &kind) { return kind.second.size() > number / 2; });
        if (usual == kinds.end()) continue;
        for (const auto &[boards, hosts] : kinds)
            if (std::includes(usual->first.begin(), usual->first.end(), boards.begin(), boards.end()))
                for (const auto host : hosts) all[host].second.boards = usual->first;
    }
    return all;
}

std::set<Guid> guids_of(const HostReport &report)
{
    std::set<Guid> all;
    for (const auto &device : report.devices) {
        if (device.node_guid) all.insert(*device.node_guid);
        for (const auto &port : device.ports)
            if (port.guid) all.insert(*port.guid);
    }
    all.erase(Guid{});
    return all;
}

namespace
{
/// Returns true for two reports of one machine, false for two machines with one name.
bool is_same_machine(const HostReport &a, const HostReport &b)
{
    const auto one = guids_of(a), other = guids_of(b);
    return one.empty() || other.empty() ||
           std::any_of(one.begin(), one.end(), [&](Guid guid) { return other.contains(guid); });
}
} // namespace

std::vector<HostReport> last_of_each(std::vector<HostReport> reports)
{
    std::vector<HostReport> kept;
    std::map<std::pair<std::string, bool>, std::vector<std::size_t>> of_name;
    for (auto &report : reports) {
        auto &earlier = of_name[{report.host, report.has_ports}];
        const auto same = std::find_if(earlier.begin(), earlier.end(),
                                       [&](std::size_t at) { return is_same_machine(kept[at], report); });
        if (same != earlier.end()) {
            kept[*same] = std::move(report);
            continue;
        }
        earlier.push_back(kept.size());
        kept.push_back(std::move(report));
    }
    return kept;
}

Names without_report(const std::vector<HostReport> &reports, std::span<const std::string> expected)
{
    // "node7" is "node7.example.org", too.
    const auto short_name = [](const std::string &host) { return host.substr(0, host.find('.')); };
    std::set<std::string> hosts, short_hosts;
    const bool has_ports =
        std::any_of(reports.begin(), reports.end(), [](const HostReport &report) { return report.has_ports; });
    for (const auto &report : reports)
        if (report.has_ports == has_ports) hosts.insert(report.host), short_hosts.insert(short_name(report.host));
    Names missing;
    for (const auto &host : expected) {
        const bool is_short = short_name(host) == host;
        if (!hosts.contains(host) && !hosts.contains(short_name(host)) && !(is_short && short_hosts.contains(host)))
            add_name(missing, host);
    }
    return missing;
}

namespace
{
constexpr std::string_view v2 = "RoCE v2";

/// True for IPv4 and global IPv6; a link-local address does not leave the link.
bool is_routable(const GidEntry &entry) { return entry.type == v2 && !entry.gid.starts_with("fe80:"); }
} // namespace

std::string roce_mode_of(const RdmaPort &port)
{
    if (port.roce_mode) return *port.roce_mode;
    if (!port.gids || port.gids->empty()) return {};
    const bool has_v2 =
        std::any_of(port.gids->begin(), port.gids->end(), [](const GidEntry &e) { return e.type == v2; });
    return has_v2 ? std::string(v2) : port.gids->front().type;
}

const GidEntry *first_routable(const RdmaPort &port)
{
    if (!port.gids) return nullptr;
    const auto first = std::find_if(port.gids->begin(), port.gids->end(), is_routable);
    return first == port.gids->end() ? nullptr : &*first;
}

} // namespace nmib::merging
