// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/inventory/snapshot.hpp"

#include "core/number.hpp"

#include <algorithm>
#include <set>

namespace nmib
{

namespace
{
std::string yes_or_no(bool is) { return is ? "yes" : "no"; }

std::string keys(const std::vector<PKeyEntry> &entries)
{
    std::string all;
    for (const auto &e : entries) all += (all.empty() ? "" : " ") + hex(e.key, 4);
    return all;
}

void add(Snapshot &s, const PortNetdev &n, const std::string &port)
{
    const auto put = [&](const char *what, std::string value) { s[{n.name.str(), what}] = std::move(value); };
    put("interface", port);
    if (n.mode) put("mode", std::string(name(*n.mode)));
    put("mtu", std::to_string(n.mtu));
    put("up", yes_or_no(n.up));
    put("carrier", yes_or_no(n.carrier));
}

void add(Snapshot &s, const RdmaDevice &device, const RdmaPort &port)
{
    const auto label = device.label(port);
    const auto put = [&](const char *what, const auto &read, auto show) {
        if (read) s[{label, what}] = show(*read);
    };
    const auto as_word = [](const auto &value) { return std::string(word(value)); };
    const auto as_number = [](unsigned value) { return std::to_string(value); };
    s[{label, "port"}] = device.name;
    put("state", port.state, as_word);
    put("physical_state", port.phys_state, as_word);
    put("rate", port.rate, [](const PortRate &r) { return r.str(); });
    put("lid", port.lid, as_number);
    put("sm_lid", port.sm_lid, as_number);
    put("mtu_active", port.mtu, [](const PortMtu &m) { return std::to_string(m.active); });
    put("p_keys", port.pkeys, keys);
    put("gids", port.gids, [](const std::vector<GidEntry> &all) { return std::to_string(all.size()); });
    for (const auto &n : port.interfaces) add(s, n, label);
}
} // namespace

Snapshot snapshot(std::span<const RdmaDevice> devices)
{
    Snapshot s;
    for (const auto &device : devices)
        for (const auto &port : device.ports) add(s, device, port);
    return s;
}

std::vector<PortChange> changes(const Snapshot &before, const Snapshot &after)
{
    const auto at = [](const Snapshot &s, const auto &key) {
        const auto found = s.find(key);
        return found == s.end() ? std::string() : found->second;
    };
    std::set<Snapshot::key_type> all;
    for (const auto &[key, value] : before) all.insert(key);
    for (const auto &[key, value] : after) all.insert(key);
    std::set<std::string> came_or_went;
    for (const auto &[where, what] : all)
        for (const auto thing : itself)
            if (what == thing && before.contains({where, what}) != after.contains({where, what}))
                came_or_went.insert(where);
    std::vector<PortChange> list;
    for (const auto &key : all) {
        const bool is_itself = std::find(std::begin(itself), std::end(itself), key.second) != std::end(itself);
        if (came_or_went.contains(key.first) && !is_itself) continue;
        PortChange change{key.first, key.second, at(before, key), at(after, key)};
        if (change.before != change.after) list.push_back(std::move(change));
    }
    return list;
}

} // namespace nmib
