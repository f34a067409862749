// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/doctor/merge/host_report.hpp"

#include "core/base/text.hpp"
#include "terminal/words.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace nmib::cli
{

namespace
{
constexpr unsigned schema = 1;
constexpr int deepest = 16;                  ///< levels; nm-ib writes 4. More would cost memory
constexpr std::size_t text_limit = 1U << 20; ///< bytes of one text: a finding may name thousands of profiles
constexpr std::size_t list_limit = 65536;    ///< entries of a list: the largest P_Key table

/// A JSON object, and its path in the file. `wrong` has the key of the first invalid value.
class ReportObject
{
public:
    ReportObject(const nlohmann::json &json, std::string where, std::string &wrong) :
        json_(json), where_(std::move(where)), wrong_(wrong)
    {
        if (!json.is_object()) blame({});
    }
    /// Sets `target` to the parsed text. Returns true if the key exists and is valid.
    template<class Target, class Parse> bool read(const char *key, Target &target, Parse parse) const
    {
        const auto *value = find(key);
        if (!value) return false;
        const auto *text = value->get_ptr<const std::string *>();
        if (text && text->size() <= text_limit)
            if (const auto parsed = parse(std::string_view(*text))) return target = *parsed, true;
        return blame(key), false;
    }
    template<class Target> bool read(const char *key, Target &target) const
    {
        return read(key, target, [](std::string_view text) { return std::optional(std::string(text)); });
    }
    template<class Target> bool number(const char *key, Target &target, unsigned max) const
    {
        const auto *value = find(key);
        if (!value) return false;
        const auto *n = value->get_ptr<const nlohmann::json::number_unsigned_t *>();
        if (!n || *n > max) return blame(key), false;
        target = static_cast<unsigned>(*n);
        return true;
    }
    bool truth(const char *key) const
    {
        const auto *value = find(key);
        if (value && !value->is_boolean()) blame(key);
        return value && value->is_boolean() && value->get<bool>();
    }
    /// Calls `each` for the objects of a list. Returns true if the list exists.
    template<class Each> bool list(const char *key, Each each) const
    {
        const auto *value = find(key);
        if (!value) return false;
        if (!value->is_array() || value->size() > list_limit) return blame(key), false;
        for (std::size_t i = 0; i < value->size() && wrong_.empty(); i++)
            each(ReportObject((*value)[i], where_ + key + "[" + std::to_string(i) + "].", wrong_));
        return true;
    }
    void blame(const std::string &key) const
    {
        if (wrong_.empty()) wrong_ = where_ + key;
        if (wrong_.ends_with('.')) wrong_.pop_back();
    }

private:
    const nlohmann::json *find(const char *key) const
    {
        if (!json_.is_object()) return nullptr;
        const auto found = json_.find(key);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }
    const nlohmann::json &json_;
    std::string where_;
    std::string &wrong_;
};

/// The value of an enumeration that has this word.
template<auto last> std::optional<decltype(last)> meant(std::string_view text)
{
    for (int i = 0; i <= static_cast<int>(last); i++)
        if (const auto value = static_cast<decltype(last)>(i); word(value) == text) return value;
    return {};
}

RdmaDevice device_of(const ReportObject &json)
{
    RdmaDevice d{.name = {}};
    json.read("name", d.name);
    if (d.name.empty()) json.blame("name");
    json.read("board_id", d.board_id);
    json.read("firmware", d.firmware);
    json.read("description", d.description);
    json.read("node_guid", d.node_guid, Guid::parse);
    json.read("system_guid", d.system_guid, Guid::parse);
    json.read("physical_function", d.physical_function);
    std::string role;
    json.read("role", role);
    d.is_fabric_managed = role == "nvswitch-management";
    return d;
}

void read_interface(const ReportObject &json, RdmaPort &port)
{
    std::optional<IfName> name;
    if (!json.read("interface", name, IfName::parse)) return json.blame("interface");
    PortNetdev n{.name = *name};
    n.infiniband = port.layer && *port.layer == LinkLayer::infiniband;
    json.number("mtu", n.mtu, INT32_MAX);
    json.read("mode", n.mode, parse_mode);
    json.read("p_key", n.pkey, PKey::parse);
    n.up = json.truth("up");
    n.carrier = json.truth("carrier");
    port.interfaces.push_back(n);
}

void read_tables(const ReportObject &json, RdmaPort &port)
{
    std::vector<PKeyEntry> keys;
    if (json.list("p_keys", [&](const ReportObject &entry) {
            unsigned index = 0;
            if (!entry.number("index", index, 0xffff)) entry.blame("index");
            std::optional<PKey> key;
            if (!entry.read("p_key", key, PKey::parse)) return entry.blame("p_key");
            keys.push_back({index, *key});
        }))
        port.pkeys = std::move(keys);
    std::vector<GidEntry> gids;
    if (json.list("gids", [&](const ReportObject &entry) {
            GidEntry e;
            if (!entry.number("index", e.index, 0xffff)) entry.blame("index");
            if (!entry.read("gid", e.gid)) entry.blame("gid");
            entry.read("type", e.type);
            gids.push_back(std::move(e));
        }))
        port.gids = std::move(gids);
}

void read_port(const ReportObject &json, std::vector<RdmaDevice> &devices)
{
    std::string hca;
    json.read("hca", hca);
    const auto device =
        std::find_if(devices.begin(), devices.end(), [&](const RdmaDevice &d) { return d.name == hca; });
    if (device == devices.end()) return json.blame("hca");
    RdmaPort p{.number = 0};
    json.number("number", p.number, 255);
    if (p.number == 0) return json.blame("number");
    json.read("link_layer", p.layer, meant<LinkLayer::iwarp>);
    json.read("state", p.state, meant<PortState::active_defer>);
    unsigned mbps = 0;
    if (json.number("rate_mbps", mbps, 100'000'000)) {
        std::string rate; // "400 Gb/s 4X NDR"
        json.read("rate", rate);
        const auto unit = rate.find(" Gb/s ");
        p.rate = PortRate{mbps, unit == rate.npos ? "" : rate.substr(unit + 6)};
    }
    json.read("guid", p.guid, Guid::parse);
    json.number("lid", p.lid, 0xffff);
    json.number("sm_lid", p.sm_lid, 0xffff);
    unsigned active = 0;
    if (json.number("mtu_active", active, 65536)) p.info = PortInfo{.mtu = active, .max_mtu = active};
    json.read("default_roce_mode", p.roce_mode);
    read_tables(json, p);
    json.list("interfaces", [&](const ReportObject &interface) { read_interface(interface, p); });
    device->ports.push_back(std::move(p));
}

HostReport::Found finding_of(const ReportObject &json)
{
    HostReport::Found found;
    std::string severity = "error";
    json.read("id", found.id);
    if (found.id.empty()) json.blame("id");
    json.read("where", found.where);
    json.read("seen", found.seen);
    json.read("severity", severity);
    using enum Severity; // an unknown word of a later version: a warning
    found.severity = severity == "error" ? error : severity == "note" ? note : warning;
    return found;
}
} // namespace

Result<HostReport> parse_host_report(std::string_view text)
{
    bool too_deep = false;
    const auto is_kept = [&](int depth, nlohmann::json::parse_event_t, const nlohmann::json &) {
        too_deep |= depth > deepest;
        return !too_deep;
    };
    const auto json = nlohmann::json::parse(text, is_kept, /*allow_exceptions=*/false);
    const auto other = bad(_("not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'"));
    if (too_deep || !json.is_object() || !json.contains("schema") || !json.contains("host")) return other;
    std::string wrong;
    const ReportObject top(json, {}, wrong);
    unsigned is = 0;
    if (top.number("schema", is, INT32_MAX) && is != schema)
        return bad(
            form("schema {}, but this nm-ib reads schema {}; use the same version of nm-ib on all hosts", is, schema));
    if (is == 0) top.blame("schema");
    HostReport report;
    top.read("host", report.host);
    if (report.host.empty()) top.blame("host");
    top.list("hcas", [&](const ReportObject &hca) { report.devices.push_back(device_of(hca)); });
    report.has_ports = top.list("ports", [&](const ReportObject &port) { read_port(port, report.devices); });
    // Functions that manage NVSwitches are no ports of the hosts' network.
    std::erase_if(report.devices, [](const RdmaDevice &d) { return d.is_fabric_managed; });
    const bool has_findings =
        top.list("findings", [&](const ReportObject &found) { report.findings.push_back(finding_of(found)); });
    if (!wrong.empty()) return bad(form("{} cannot be parsed", printable(wrong)));
    if (!report.has_ports && !has_findings) return other;
    return report;
}

} // namespace nmib::cli
