// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/doctor/host_report.hpp"

#include "cli/base/words.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace nmib::cli
{

namespace
{
using Json = nlohmann::json;
constexpr unsigned schema = 1;
constexpr std::size_t deepest = 16;       ///< of ours the deepest is 4; what is nested without end costs memory
constexpr std::size_t text_limit = 1024;  ///< bytes of one text
constexpr std::size_t list_limit = 65536; ///< entries of a list: a P_Key table has no more

/// Brackets within brackets, at most.
std::size_t depth_of(std::string_view text)
{
    std::size_t depth = 0, most = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < text.size(); i++) {
        const char c = text[i];
        if (in_text) {
            if (c == '\\') i++;
            in_text = c != '"';
            continue;
        }
        in_text = c == '"';
        if (c == '[' || c == '{') most = std::max(most, ++depth);
        if ((c == ']' || c == '}') && depth > 0) depth--;
    }
    return most;
}

/// One object, and where it is in the file. What it holds and cannot be is kept in `wrong`: the first of all.
class Object
{
public:
    Object(const Json &json, std::string where, std::string &wrong) :
        json_(json), where_(std::move(where)), wrong_(wrong)
    {
        if (!json.is_object()) blame({});
    }
    template<class T, class Parse> std::optional<T> get(const char *key, Parse parse) const
    {
        const auto *value = find(key);
        if (!value) return {};
        std::optional<T> parsed;
        if (const auto *text = value->get_ptr<const std::string *>(); text && text->size() <= text_limit)
            parsed = parse(std::string_view(*text));
        if (!parsed) blame(key);
        return parsed;
    }
    template<class T, class Parse> Read<T> read(const char *key, Parse parse) const
    {
        const auto value = get<T>(key, parse);
        return value ? Read<T>(*value) : Read<T>();
    }
    Read<std::string> text(const char *key) const
    {
        return read<std::string>(key, [](std::string_view t) { return std::optional(std::string(t)); });
    }
    Read<unsigned> number(const char *key, unsigned max) const
    {
        const auto *value = find(key);
        if (!value) return {};
        const auto *n = value->get_ptr<const Json::number_unsigned_t *>();
        if (n && *n <= max) return static_cast<unsigned>(*n);
        blame(key);
        return {};
    }
    bool truth(const char *key) const
    {
        const auto *value = find(key);
        if (value && !value->is_boolean()) blame(key);
        return value && value->is_boolean() && value->get<bool>();
    }
    /// Calls `each` with the objects of a list. Whether there is one.
    template<class Each> bool list(const char *key, Each each) const
    {
        const auto *value = find(key);
        if (!value) return false;
        if (!value->is_array() || value->size() > list_limit) return blame(key), false;
        for (std::size_t i = 0; i < value->size() && wrong_.empty(); i++)
            each(Object((*value)[i], where_ + key + "[" + std::to_string(i) + "].", wrong_));
        return true;
    }
    /// Says that this key is not what it should be.
    void blame(const std::string &key) const
    {
        if (wrong_.empty()) wrong_ = where_ + key;
        if (wrong_.ends_with('.')) wrong_.pop_back();
    }

private:
    const Json *find(const char *key) const
    {
        if (!json_.is_object()) return nullptr;
        const auto found = json_.find(key);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }
    const Json &json_;
    std::string where_;
    std::string &wrong_;
};

std::optional<Guid> guid(std::string_view text) { return Guid::parse(text); }
std::optional<PKey> p_key(std::string_view text)
{
    const auto value = parse_hex(text, 0xffff);
    return value ? PKey::from(static_cast<std::uint32_t>(*value)) : std::nullopt;
}
/// The value of an enumeration that has this word.
template<auto last> std::optional<decltype(last)> meant(std::string_view text)
{
    for (int i = 0; i <= static_cast<int>(last); i++)
        if (const auto value = static_cast<decltype(last)>(i); word(value) == text) return value;
    return {};
}

RdmaDevice device_of(const Object &json)
{
    RdmaDevice d{.name = {}};
    if (const auto name = json.text("name"); name && !name->empty())
        d.name = *name;
    else
        json.blame("name");
    d.board_id = json.text("board_id");
    d.firmware = json.text("firmware");
    d.description = json.text("description");
    d.node_guid = json.read<Guid>("node_guid", guid);
    d.system_guid = json.read<Guid>("system_guid", guid);
    d.physical_function = json.text("physical_function");
    return d;
}

void read_interface(const Object &json, RdmaPort &port)
{
    const auto name = json.get<IfName>("interface", IfName::parse);
    if (!name) return json.blame("interface");
    PortNetdev n{.name = *name};
    n.infiniband = port.layer && *port.layer == LinkLayer::infiniband;
    n.mtu = json.number("mtu", INT32_MAX) ? *json.number("mtu", INT32_MAX) : 0;
    n.mode = json.get<TransportMode>("mode", parse_mode);
    n.pkey = json.get<PKey>("p_key", p_key);
    n.up = json.truth("up");
    n.carrier = json.truth("carrier");
    port.interfaces.push_back(n);
}

void read_tables(const Object &json, RdmaPort &port)
{
    std::vector<PKeyEntry> keys;
    if (json.list("p_keys", [&](const Object &entry) {
            const auto index = entry.number("index", 0xffff);
            const auto key = entry.get<PKey>("p_key", p_key);
            if (!index || !key) return entry.blame(index ? "p_key" : "index");
            keys.push_back({*index, key->value()});
        }))
        port.pkeys = std::move(keys);
    std::vector<GidEntry> gids;
    if (json.list("gids", [&](const Object &entry) {
            const auto index = entry.number("index", 0xffff);
            const auto gid = entry.text("gid"), type = entry.text("type");
            if (!index || !gid) return entry.blame(index ? "gid" : "index");
            gids.push_back({*index, *gid, type ? *type : "", {}});
        }))
        port.gids = std::move(gids);
}

void read_port(const Object &json, std::vector<RdmaDevice> &devices)
{
    const auto hca = json.text("hca");
    const auto device =
        std::find_if(devices.begin(), devices.end(), [&](const RdmaDevice &d) { return hca && d.name == *hca; });
    if (device == devices.end()) return json.blame("hca");
    const auto number = json.number("number", 255);
    if (!number || *number == 0) return json.blame("number");
    RdmaPort p{.number = *number};
    p.layer = json.read<LinkLayer>("link_layer", meant<LinkLayer::iwarp>);
    p.state = json.read<PortState>("state", meant<PortState::active_defer>);
    p.guid = json.read<Guid>("guid", guid);
    p.lid = json.number("lid", 0xffff);
    p.sm_lid = json.number("sm_lid", 0xffff);
    if (const auto active = json.number("mtu_active", 65536)) p.mtu = PortMtu{*active, *active};
    p.roce_mode = json.text("default_roce_mode");
    read_tables(json, p);
    json.list("interfaces", [&](const Object &interface) { read_interface(interface, p); });
    device->ports.push_back(std::move(p));
}

HostReport::Found finding_of(const Object &json)
{
    HostReport::Found found;
    const auto id = json.text("id"), where = json.text("where"), seen = json.text("seen"),
               severity = json.text("severity");
    if (!id || id->empty()) json.blame("id");
    found.id = id ? *id : "";
    found.where = where ? *where : "";
    found.seen = seen ? *seen : "";
    using enum Finding::Severity; // a word that a later version has is at least a warning
    found.severity = !severity || *severity == "error" ? error : *severity == "note" ? info : warning;
    return found;
}
} // namespace

Result<HostReport> parse_host_report(std::string_view text)
{
    if (depth_of(text) > deepest) return bad(_("not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'"));
    const auto json = Json::parse(text, nullptr, false);
    std::string wrong;
    const Object top(json, {}, wrong);
    if (!json.is_object() || !json.contains("schema") || !json.contains("host"))
        return bad(_("not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'"));
    const auto is = top.number("schema", INT32_MAX);
    if (!is) return bad(form(_("%s: not understood"), "schema"));
    if (*is != schema)
        return bad(
            form(_("its schema is %u, this nm-ib reads %u; use the same version of nm-ib everywhere"), *is, schema));
    HostReport report;
    const auto host = top.text("host");
    if (!host || host->empty()) return bad(form(_("%s: not understood"), "host"));
    report.host = *host;
    top.list("hcas", [&](const Object &hca) { report.devices.push_back(device_of(hca)); });
    report.has_ports = top.list("ports", [&](const Object &port) { read_port(port, report.devices); });
    const bool has_findings =
        top.list("findings", [&](const Object &found) { report.findings.push_back(finding_of(found)); });
    if (!wrong.empty()) return bad(form(_("%s: not understood"), printable(wrong).c_str()));
    if (!report.has_ports && !has_findings)
        return bad(_("not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'"));
    return report;
}

} // namespace nmib::cli
