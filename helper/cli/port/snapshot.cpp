// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/port/snapshot.hpp"

#include "cli/base/words.hpp"

#include <set>

namespace nmib::cli
{

namespace
{
/// Yes and no as in all languages: programs read them, too.
std::string shown(const Json &value)
{
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

void add(Snapshot &s, const std::string &where, const Json &object, std::initializer_list<const char *> keys)
{
    for (const auto *key : keys)
        if (!object[key].is_null()) s[{where, key}] = shown(object[key]);
}
} // namespace

Snapshot snapshot(const Json &all)
{
    Snapshot s;
    for (const auto &port : all["ports"]) {
        const auto label = port["port"].get<std::string>();
        s[{label, "port"}] = port["hca"];
        add(s, label, port, {"state", "physical_state", "rate", "lid", "sm_lid", "mtu_active"});
        Words keys;
        for (const auto &entry : port["p_keys"]) keys.push_back(entry["p_key"]);
        if (!port["p_keys"].is_null()) s[{label, "p_keys"}] = join(keys, " ");
        if (!port["gids"].is_null()) s[{label, "gids"}] = std::to_string(port["gids"].size());
        for (const auto &n : port["interfaces"]) {
            const auto name = n["interface"].get<std::string>();
            s[{name, "interface"}] = label;
            add(s, name, n, {"mode", "mtu", "up", "carrier", "nm_state", "profile"});
        }
    }
    return s;
}

std::vector<PortChange> changes(const Snapshot &before, const Snapshot &after)
{
    std::set<Snapshot::key_type> all;
    for (const auto *some : {&before, &after})
        for (const auto &[key, value] : *some) all.insert(key);
    std::set<std::string> came_or_went;
    for (const auto &key : all)
        if (is_itself(key.second) && before.contains(key) != after.contains(key)) came_or_went.insert(key.first);
    const auto at = [](const Snapshot &s, const auto &key) { return s.contains(key) ? s.at(key) : std::string(); };
    std::vector<PortChange> list;
    for (const auto &key : all) {
        PortChange change{key.first, key.second, at(before, key), at(after, key)};
        const bool is_part = came_or_went.contains(key.first) && !is_itself(key.second);
        if (change.before != change.after && !is_part) list.push_back(std::move(change));
    }
    return list;
}

} // namespace nmib::cli
