// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/expect.hpp"

#include "core/base/text.hpp"
#include "core/doctor/diagnose.hpp"

#include <algorithm>
#include <span>

namespace nmib
{

namespace
{
/// The SM LID of a port that is not active is a leftover.
std::string manager_of(const RdmaPort &port)
{
    if (!port.state || *port.state != PortState::active || !port.sm_lid || *port.sm_lid == 0) return "no";
    if (port.manager) return port.manager->guid.str();
    return port.manager.failed() && port.manager.error().kind == Error::Kind::io ? "no" : "yes";
}

void add(Expected &all, const RdmaPort &port, const std::string &label)
{
    auto &values = all[label];
    if (port.layer) values["link_layer"] = word(*port.layer);
    if (port.state) values["state"] = word(*port.state);
    if (port.rate) values["rate"] = port.rate->str();
    if (port.info) values["mtu_active"] = std::to_string(port.info->mtu);
    if (port.layer && *port.layer == LinkLayer::infiniband) values["subnet_manager"] = manager_of(port);
    for (const auto &n : port.interfaces) {
        auto &its = all[n.name.str()];
        its["port"] = label;
        its["up"] = n.up ? "yes" : "no";
        if (!n.up) continue;
        its["mtu"] = std::to_string(n.mtu);
        its["carrier"] = n.carrier ? "yes" : "no";
        if (n.mode) its["mode"] = name(*n.mode);
        if (n.pkey) its["p_key"] = n.pkey->str();
    }
}

bool agrees(const std::string &key, const std::string &now, const std::string &wanted)
{
    if (key == "rate" && now.starts_with(wanted + " ")) return true; // "400 Gb/s": with any lanes
    if (key != "subnet_manager" || wanted == "no" || now == "no") return now == wanted;
    if (wanted == "yes" || now == "yes") return true; // only root knows the GUID
    const auto guids = cut(wanted, " ");
    return std::any_of(guids.begin(), guids.end(), [&](const auto &g) { return Guid::parse(g) == Guid::parse(now); });
}

Trouble differs(const std::string &where, const std::string &key, const std::string &now, const std::string &wanted)
{
    // Without an answer of the subnet manager, a port that is active stays up.
    return {.kind = find_kind("expected-differs"),
            .severity = key == "subnet_manager" ? Severity::warning : Severity::error,
            .where = where,
            .values = {{"key", key}, {"now", now}, {"wanted", wanted}}};
}
} // namespace

namespace
{
struct Key {
    std::string_view name;
    bool (*is_possible)(const std::string &value); ///< the machine can have this value
};

bool is_text(const std::string &value) { return !value.empty(); }
bool is_place(const std::string &value) { return value.find('/') != value.npos; }
bool is_yes_or_no(const std::string &value) { return value == "yes" || value == "no"; }
template<auto last> bool is_word(const std::string &value)
{
    for (int i = 0; i <= static_cast<int>(last); i++)
        if (word(static_cast<decltype(last)>(i)) == value) return true;
    return false;
}
bool is_number(const std::string &value)
{
    const auto number = parse_decimal(value, INT32_MAX);
    return number && std::to_string(*number) == value;
}
bool is_key(const std::string &value)
{
    const auto key = PKey::parse(value);
    return key && key->str() == value;
}
bool is_mode(const std::string &value)
{
    const auto mode = parse_mode(value);
    return mode && name(*mode) == value;
}
bool is_rate(const std::string &value)
{
    if (value.find('#') != value.npos) return false; // a comment has its own line
    const auto unit = std::min(value.find(" Gb/s"), value.size());
    const auto rate = PortRate::parse(value.substr(0, unit) + " Gb/sec (" +
                                      std::string(trim(value.substr(std::min(unit + 5, value.size())))) + ")");
    return rate && rate->str() == value;
}
bool is_manager(const std::string &value)
{
    const auto guids = cut(value, " ");
    return is_yes_or_no(value) ||
           (!guids.empty() && std::all_of(guids.begin(), guids.end(), [](const auto &g) { return Guid::parse(g); }));
}

constexpr Key of_device[] = {{"firmware", is_text}, {"board_id", is_text}};
constexpr Key of_port[] = {{"link_layer", is_word<LinkLayer::iwarp>},
                           {"state", is_word<PortState::active_defer>},
                           {"rate", is_rate},
                           {"mtu_active", is_number},
                           {"subnet_manager", is_manager}};
constexpr Key of_interface[] = {{"port", is_place}, {"up", is_yes_or_no}, {"carrier", is_yes_or_no},
                                {"p_key", is_key},  {"mode", is_mode},    {"mtu", is_number}};

const Key *find(std::span<const Key> keys, const std::string &name)
{
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key &key) { return key.name == name; });
    return found == keys.end() ? nullptr : &*found;
}
} // namespace

std::optional<std::string> impossible_line(const std::string &where, const std::map<std::string, std::string> &values)
{
    if (values.empty()) return {};
    std::span<const Key> keys = of_interface;
    if (is_place(where))
        keys = of_port;
    else if (find(of_device, values.begin()->first))
        keys = of_device;
    for (const auto &[name, value] : values)
        if (const auto *key = find(keys, name); !key || !key->is_possible(value)) return name + "=" + value;
    return {};
}

Expected present(const Host &host)
{
    Expected all;
    for (const auto &device : host.devices) {
        if (device.is_fabric_managed) continue;
        auto &values = all[device.name];
        if (device.firmware) values["firmware"] = *device.firmware;
        if (device.board_id) values["board_id"] = *device.board_id;
        for (const auto &port : device.ports) add(all, port, device.label(port));
    }
    return all;
}

std::optional<ExpectedPorts> ExpectedPorts::parse(std::string_view text) noexcept
{
    const auto at = text.find('@');
    if (at == text.npos) return {};
    const auto count = parse_decimal(text.substr(0, at), 4096), gbps = parse_decimal(text.substr(at + 1), 100000);
    if (!count || !gbps || *count == 0 || *gbps == 0) return {};
    return ExpectedPorts{static_cast<unsigned>(*count), static_cast<unsigned>(*gbps)};
}

std::vector<Trouble> compare(const Host &host, const Expected &expected)
{
    const auto now = present(host);
    std::vector<Trouble> all;
    std::set<std::string> blamed;
    // A device is before its ports in the order of names; an interface names its port.
    const auto judge = [&](const std::string &where, const std::map<std::string, std::string> &wanted) {
        const auto port = wanted.find("port");
        if (blamed.contains(where.substr(0, where.rfind('/'))) ||
            (port != wanted.end() && blamed.contains(port->second))) {
            blamed.insert(where);
            return;
        }
        const auto found = now.find(where);
        if (found == now.end()) {
            all.push_back({.kind = find_kind("expected-missing"), .where = where});
            blamed.insert(where);
            return;
        }
        const auto is_different = [&](const std::string &key) {
            const auto value = found->second.find(key), expected_value = wanted.find(key);
            if (value == found->second.end() || expected_value == wanted.end() ||
                agrees(key, value->second, expected_value->second))
                return false;
            all.push_back(differs(where, key, value->second, expected_value->second));
            return true;
        };
        // If the link or the interface is down, the rest follows.
        if (is_different("link_layer") || is_different("state") || is_different("up")) {
            blamed.insert(where);
            return;
        }
        for (const auto &[key, value] : wanted)
            if (key != "link_layer" && key != "state" && key != "up") is_different(key);
    };
    for (const bool of_interfaces : {false, true})
        for (const auto &[where, wanted] : expected)
            if (wanted.contains("port") == of_interfaces) judge(where, wanted);
    return all;
}

std::vector<Trouble> compare(const Host &host, const ExpectedPorts &expected)
{
    unsigned count = 0;
    std::string others;
    for (const auto &device : host.devices)
        for (const auto &port : device.ports) {
            if (device.is_fabric_managed || device.is_virtual()) continue;
            const bool is_active = port.state && *port.state == PortState::active;
            if (is_active && port.rate && port.rate->mbps / 1000 >= expected.gbps) {
                count++;
                continue;
            }
            const auto value =
                is_active ? (port.rate ? port.rate->str() : "?") : std::string(port.state ? word(*port.state) : "?");
            others += (others.empty() ? "" : ", ") + device.label(port) + " (" + value + ")";
        }
    if (count >= expected.count) return {};
    Trouble t{.kind = find_kind("expected-ports")};
    t.values = {{"expected", std::to_string(expected.count)},
                {"gbps", std::to_string(expected.gbps)},
                {"count", std::to_string(count)},
                {"others", others.empty() ? Message{} : Message{N_("; others: {ports}"), {{"ports", others}}}}};
    return {std::move(t)};
}

} // namespace nmib
