// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/port/json.hpp"

#include "core/base/text.hpp"
#include "core/ib/counters.hpp"
#include "terminal/json.hpp"

namespace nmib::cli
{

namespace
{
/// An object; "unread" has the reasons for values that could not be read (null).
class Values
{
public:
    explicit Values(Json start) : json_(std::move(start)) {}
    template<class T, class Show> void add(const char *key, const Read<T> &read, Show show)
    {
        json_[key] = read ? Json(show(*read)) : Json();
        if (read.failed()) unread_[key] = read.error().what;
    }
    template<class T> void add(const char *key, const Read<T> &read)
    {
        add(key, read, [](const T &value) { return value; });
    }
    void add(const char *key, Json value) { json_[key] = std::move(value); }
    Json take()
    {
        json_["unread"] = std::move(unread_);
        return std::move(json_);
    }

private:
    Json json_, unread_ = Json::object();
};

constexpr auto as_word = [](const auto &value) { return std::string(word(value)); };
constexpr auto as_hex = [](const auto &id) { return id.str(); };

Json json_of(const RdmaDevice &d)
{
    Values v(Json{{"name", d.name}});
    v.add("driver", or_null(d.driver));
    v.add("bus_info", or_null(d.bus));
    v.add("pci_id", d.pci_id, as_hex);
    v.add("pci_speed", d.pci_speed);
    v.add("pci_width", d.pci_width);
    v.add("pci_max_speed", d.pci_max_speed);
    v.add("pci_max_width", d.pci_max_width);
    Json path = Json::array();
    for (const auto &hop : d.pci_path)
        path.push_back({{"bus_info", hop.address},
                        {"link", hop.current.is_known() ? Json(hop.current.str()) : Json()},
                        {"maximum", hop.maximum.is_known() ? Json(hop.maximum.str()) : Json()}});
    v.add("pci_path", std::move(path));
    v.add("role", d.is_fabric_managed ? Json("nvswitch-management") : Json());
    v.add("smi", or_null(d.smi));
    v.add("planes", d.planes ? Json(d.planes) : Json());
    v.add("type", d.type);
    v.add("board_id", d.board_id);
    v.add("firmware", d.firmware);
    v.add("revision", d.hw_rev);
    v.add("node_guid", d.node_guid, as_hex);
    v.add("system_guid", d.system_guid, as_hex);
    v.add("description", d.description);
    v.add("physical_function", d.physical_function);
    v.add("vfs", d.vfs);
    v.add("max_vfs", d.max_vfs);
    Json functions = Json::array();
    for (const auto &f : d.functions)
        functions.push_back({{"number", f.number}, {"bus_info", f.bus}, {"hca", or_null(f.device)}});
    v.add("virtual_functions", std::move(functions));
    return v.take();
}

Json json_of(const PortNetdev &n, const RdmaPort &port, const Inventory &all)
{
    const auto *state = all.state_of(n);
    Json json = {{"interface", n.name.view()},
                 {"parent", n.parent ? Json(port.interfaces.front().name.view()) : Json()},
                 {"p_key", n.pkey ? Json(n.pkey->str()) : Json()},
                 {"mode", n.mode ? Json(name(*n.mode)) : Json()},
                 {"mtu", n.mtu},
                 {"up", n.up},
                 {"carrier", n.carrier},
                 {"nm_state", state ? Json(state->word) : Json()},
                 {"profile", state ? or_null(state->profile) : Json()},
                 {"uuid", state ? or_null(state->uuid) : Json()},
                 {"address", n.address ? Json(n.address->str()) : Json()}};
    if (!n.address) return json;
    const auto &a = *n.address;
    json["flags"] = hex(a.flags(), 2);
    json["qpn"] = hex(a.qpn(), 6);
    json["subnet_prefix"] = hex(a.subnet_prefix().value, 16);
    json["port_guid"] = a.guid().str();
    json["arp_address"] = a.str().substr(0, 6 * 3 - 1); // arp shows six bytes
    json["dhcp_client_id"] = a.dhcp_client_id();
    return json;
}

Json interfaces_in(const RdmaPort &port, PKey key)
{
    Json names = Json::array();
    for (const auto &n : port.interfaces)
        if (n.pkey && n.pkey->has_partition_of(key)) names.push_back(n.name.view());
    return names;
}

Json json_of(const RdmaDevice &device, const RdmaPort &port, const Inventory &all)
{
    Values v(Json{{"port", device.label(port)}, {"hca", device.name}, {"number", port.number}});
    v.add("link_layer", port.layer, as_word);
    v.add("state", port.state, as_word);
    v.add("physical_state", port.phys_state, as_word);
    v.add("rate", port.rate, [](const PortRate &r) { return r.str(); });
    v.add("rate_mbps", port.rate, [](const PortRate &r) { return r.mbps; });
    v.add("guid", port.guid, as_hex);
    v.add("lid", port.lid);
    v.add("lmc", port.lmc);
    v.add("sm_lid", port.sm_lid);
    v.add("sm_sl", port.sm_sl);
    v.add("sm_here", port.cap_mask, [&](unsigned) { return port.has_sm(); });
    v.add("capabilities", port.cap_mask, [](unsigned mask) { return hex(mask, 8); });
    v.add("mtu_active", port.info, [](const PortInfo &i) { return i.mtu; });
    v.add("mtu_max", port.info, [](const PortInfo &i) { return i.max_mtu; });
    v.add("link_supported", port.info, [](const PortInfo &i) { return i.supported.str(); });
    v.add("link_enabled", port.info, [](const PortInfo &i) { return i.enabled.str(); });
    v.add("peer_supported", port.peer, [](const PortInfo &i) { return i.supported.str(); });
    v.add("peer_enabled", port.peer, [](const PortInfo &i) { return i.enabled.str(); });
    v.add("sm_guid", port.manager, [](const SubnetManager &m) { return m.guid.str(); });
    for (const auto *counter : error_counters) {
        const auto found = port.counters.find(counter);
        v.add(counter, found == port.counters.end() ? Json() : Json(found->second));
    }
    v.add("p_keys", port.pkeys, [&](const std::vector<PKeyEntry> &entries) {
        Json keys = Json::array();
        for (const auto &e : entries)
            keys.push_back({{"index", e.index},
                            {"p_key", e.key.str()},
                            {"membership", e.key.full_member() ? "full" : "limited"},
                            {"interfaces", interfaces_in(port, e.key)}});
        return keys;
    });
    v.add("gids", port.gids, [](const std::vector<GidEntry> &entries) {
        Json gids = Json::array();
        for (const auto &e : entries)
            gids.push_back(
                {{"index", e.index}, {"gid", e.gid}, {"type", or_null(e.type)}, {"interface", or_null(e.interface)}});
        return gids;
    });
    const auto prefix = subnet_prefix(port);
    v.add("subnet_prefix", prefix ? Json(hex(*prefix, 16)) : Json());
    v.add("default_roce_mode", port.roce_mode);
    Json interfaces = Json::array();
    for (const auto &n : port.interfaces) interfaces.push_back(json_of(n, port, all));
    v.add("interfaces", std::move(interfaces));
    return v.take();
}
} // namespace

Json json_of(const Inventory &all)
{
    auto json = json_object();
    json["hcas"] = Json::array();
    json["ports"] = Json::array();
    for (const auto &device : all.devices) {
        json["hcas"].push_back(json_of(device));
        for (const auto &port : device.ports) json["ports"].push_back(json_of(device, port, all));
    }
    return json;
}

} // namespace nmib::cli
