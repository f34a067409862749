// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/draft.hpp"

#include "cli/nmcli/handover.hpp"
#include "cli/order.hpp"
#include "cli/rows.hpp"

#include <algorithm>
#include <tuple>

namespace nmib::cli
{

namespace
{
std::string list_of(const std::vector<Part> &all)
{
    Words names;
    names.reserve(all.size());
    for (const auto &p : all) names.emplace_back(p.group->name);
    return join(names, ", ");
}

Result<const Group *> choose_group(const std::string &word, const std::vector<Part> &all)
{
    std::vector<const char *> names;
    names.reserve(all.size());
    for (const auto &p : all) names.push_back(p.group->name);
    const auto name = choose(word, names);
    if (name) return find_group(*name);
    if (name.error().kind == Error::Kind::refused) return name.error();
    return bad(form(nm("'%s' not among [%s]"), word.c_str(), list_of(all).c_str()));
}

std::optional<Failure> set_value(Draft &draft, const Group &group, const std::string &property, Op op,
                                 const char *value)
{
    auto *setting = draft.find(group);
    if (!setting) {
        setting = new_setting(group);
        nm_connection_add_setting(draft.connection.get(), setting);
    }
    std::vector<const char *> names;
    for (const auto *row : group.rows()) names.push_back(row->title());
    const auto name = choose(property, names);
    if (!name)
        return Failure{exit_usage,
                       form(nm("Error: invalid property '%s': %s."), property.c_str(), name.error().what.c_str())};
    const auto &row = *find_row(group, *name);
    draft.note(group, row, value);
    draft.around.say = [&](std::string line) { draft.said.push_back(std::move(line)); };
    draft.around.tell = [&](std::string line) { draft.told.push_back(std::move(line)); };
    if (const auto r = set_property(row, setting, op, value, draft.around); !r)
        return Failure{exit_usage, form(op == Op::remove ? nm("Error: failed to remove a value from %s.%s: %s.")
                                                         : nm("Error: failed to modify %s.%s: %s."),
                                        group.name, property.c_str(), r.error().what.c_str())};
    draft.asked_or_given.insert(&row);
    return {};
}

/// Are masters and slaves called controllers and ports? In nmcli's sentences later than in its properties.
bool has_controllers() { return has_version(46); }
bool speaks_of_controllers() { return has_version(48); }

std::string no_such_master(const std::string &name, const std::string &type)
{
    if (has_version(54))
        return form(nm("Warning: controller '%s' doesn't refer to any existing profile of type '%s'.\n"), name.c_str(),
                    type.empty() ? "(null)" : type.c_str());
    return form(speaks_of_controllers() ? nm("Warning: controller='%s' doesn't refer to any existing profile.\n")
                                        : nm("Warning: master='%s' doesn't refer to any existing profile.\n"),
                name.c_str());
}

/// The profile named by "id/NAME", "uuid/UUID", "ifname/IFACE" or any of them without the prefix.
std::pair<std::string, std::string> find_master(Draft &draft, std::string name, const std::string &type)
{
    using Field = std::string_view Name::*;
    constexpr std::pair<const char *, Field> prefixes[] = {
        {"ifname/", &Name::interface}, {"uuid/", &Name::uuid}, {"id/", &Name::id}};
    std::optional<Field> only;
    for (const auto &[prefix, field] : prefixes)
        if (name.starts_with(prefix)) {
            name.erase(0, std::string_view(prefix).size());
            only = field;
            break;
        }
    std::optional<Name> by_id;
    for (const auto &k : draft.around.others()) {
        if (!type.empty() && k.type != type) continue;
        if (only ? k.**only == name : (name == k.uuid || name == k.interface))
            return {only == &Name::id ? std::string(k.uuid) : name, std::string(k.type)};
        if (!only && !by_id && k.id == name) by_id = k;
    }
    if (by_id) return {std::string(by_id->uuid), std::string(by_id->type)};
    draft.said.push_back(no_such_master(name, type));
    return {name, type};
}

std::optional<Failure> set_master(Draft &draft, const Row &row, const char *value, bool reset)
{
    if (!value && !reset) return {};
    if (!value)
        return Failure{exit_usage,
                       speaks_of_controllers() ? nm("Error: controller is required") : nm("Error: master is required")};
    const auto [master, type] = find_master(draft, value, str(draft.slave_type()));
    if (auto f = set_value(draft, connection_group, has_controllers() ? "port-type" : "slave-type", Op::set,
                           type.empty() ? nullptr : type.c_str()))
        return f;
    return set_value(draft, connection_group, row.name, Op::set, master.c_str());
}

std::optional<Failure> set_type(Draft &draft, const Row &row, const char *value, bool reset)
{
    const std::string word = value ? value : "";
    if (!is_our_type(word)) return word.empty() && !reset ? std::nullopt : std::optional(to_nmcli());
    if (auto f = set_value(draft, connection_group, row.name, Op::set, infiniband_group.name)) return f;
    return ensure_settings(draft);
}

std::optional<Failure> remove_setting(Draft &draft, Args &args, const std::vector<Part> &all)
{
    args.skip();
    const auto invalid = [](const std::string &word) {
        return Failure{exit_usage, form(nm("Error: invalid setting argument '%s'."), word.c_str())};
    };
    if (args.empty()) return has_version(54) ? invalid("(null)") : Failure{exit_usage, nm("Error: missing setting.")};
    const auto word = args.take();
    const auto group = choose_group(word, all);
    if (!group) return invalid(word);
    auto *setting = draft.find(**group);
    if (!setting) return {};
    for (const auto &p : all)
        if (p.group == *group && p.mandatory)
            return Failure{exit_usage,
                           form(nm("Error: setting '%s' is mandatory and cannot be removed."), (*group)->name)};
    nm_connection_remove_setting(draft.connection.get(), G_OBJECT_TYPE(setting));
    return {};
}

/// The value behind a property; an empty one resets it.
std::optional<Failure> take_value(Args &args, const std::string &word, std::optional<std::string> &value)
{
    if (args.empty()) return Failure{exit_usage, form(nm("Error: value for '%s' is missing."), word.c_str())};
    value = args.take();
    if (value->empty()) value.reset();
    return {};
}

const char *c_str(const std::optional<std::string> &text) { return text ? text->c_str() : nullptr; }

/// A setting that this profile cannot have. A port has none for IP, but may say so from 1.54 on.
std::optional<Failure> set_elsewhere(Draft &draft, const std::string &group, const std::string &property, Op op,
                                     const std::optional<std::string> &value, std::string why)
{
    const bool ip4 = group == ipv4_group.name;
    if (has_version(54) && (ip4 || group == ipv6_group.name) && nm_setting_connection_get_master(draft.base())) {
        if (property == "method" && (value == "disabled" || (!ip4 && value == "ignore")))
            return set_value(draft, ip4 ? ipv4_group : ipv6_group, property, op, c_str(value));
        why = nm("port connections cannot have IP configuration");
    }
    return Failure{exit_usage, form(nm("Error: invalid or not allowed setting '%s': %s."), group.c_str(), why.c_str())};
}

std::optional<Failure> read_one(Draft &draft, Args &args, const std::vector<Part> &all)
{
    const auto word = args.front();
    if (draft.may_remove && word == "remove") return remove_setting(draft, args, all);
    const auto op = word.starts_with('+') ? Op::add : word.starts_with('-') ? Op::remove : Op::set;
    const auto property = word.substr(op == Op::set ? 0 : 1);
    std::optional<std::string> value;

    if (const auto dot = property.find('.'); dot != std::string::npos) {
        const auto name = property.substr(0, dot);
        const auto row = property.substr(dot + 1);
        const auto group = choose_group(name, all);
        if (group || has_version(54)) { // which looks at the value first
            args.skip();
            if (auto f = take_value(args, word, value)) return f;
        }
        return group ? set_value(draft, **group, row, op, c_str(value))
                     : set_elsewhere(draft, name, row, op, value, group.error().what);
    }
    for (const auto *group : groups()) {
        if (std::none_of(all.begin(), all.end(), [&](const Part &p) { return p.group == group; })) continue;
        for (const auto *row : group->rows()) {
            if (!row->alias || property != row->alias) continue;
            args.skip();
            if (auto f = take_value(args, word, value)) return f;
            return set_by_alias(draft, *group, *row, c_str(value), true);
        }
    }
    return Failure{exit_usage, form(nm("Error: invalid <setting>.<property> '%s'."), property.c_str())};
}
} // namespace

void Draft::speak()
{
    for (const auto &line : std::exchange(said, {})) say(line);
    for (const auto &line : std::exchange(told, {})) complain("nm-ib: " + line);
}

void Draft::note(const Group &group, const Row &row, const char *value)
{
    typed[std::string(group.name) + "." + row.name] = value ? value : "";
}

const Row &controller_row() { return *find_row(connection_group, has_controllers() ? "controller" : "master"); }

Draft new_draft()
{
    Draft draft;
    draft.connection.reset(nm_simple_connection_new());
    nm_connection_add_setting(draft.connection.get(), nm_setting_connection_new());
    return draft;
}

std::optional<Failure> set_by_alias(Draft &draft, const Group &group, const Row &row, const char *value, bool reset)
{
    draft.asked_or_given.insert(&row);
    const std::string_view alias = row.alias;
    if (alias == "type") return set_type(draft, row, value, reset);
    if (alias == "master" || alias == "controller") return set_master(draft, row, value, reset);
    if (!value && !reset) return {};
    if (alias == "ifname" && value && std::string_view(value) == "*") value = nullptr;
    if (row.flags & multi) {
        if (!value) return {};
        if (!draft.find(group)) {
            auto *setting = new_setting(group);
            g_object_set(setting, "method", "manual", nullptr);
            nm_connection_add_setting(draft.connection.get(), setting);
        }
        return set_value(draft, group, row.name, Op::add, value);
    }
    // The failure says "remove" when a value is reset, as nmcli does.
    return set_value(draft, group, row.name, value || alias == "ifname" ? Op::set : Op::remove, value);
}

std::optional<Failure> ensure_settings(Draft &draft)
{
    const auto all = parts(draft.type(), draft.slave_type());
    if (!all) return to_nmcli();
    for (const auto &p : *all)
        if (p.mandatory && !draft.find(*p.group))
            nm_connection_add_setting(draft.connection.get(), new_setting(*p.group));
    // nmcli asks a port for its master even where that was given.
    if (draft.slave_type()) draft.asked_or_given.erase(&controller_row());
    return {};
}

std::optional<Failure> read_properties(Draft &draft, Args &args, Options &options)
{
    bool ours = false;
    if (has_version(54)) {
        std::tie(args, ours) = in_order(args, options);
        if (args.empty()) return {};
    }
    do {
        if (auto f = ensure_settings(draft)) return f;
        if (args.empty()) return Failure{exit_usage, nm("Error: <setting>.<property> argument is missing.")};
        if (take_own_option(args, options)) continue;
        if (auto f = read_one(draft, args, *parts(draft.type(), draft.slave_type()))) {
            if (!draft.type() && !ours) return to_nmcli(); // of which type it would have been nobody knows
            return f;
        }
    } while (!args.empty());
    return {};
}

} // namespace nmib::cli
