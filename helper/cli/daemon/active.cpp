// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/active.hpp"

#include "cli/base/table.hpp"
#include "cli/base/version.hpp"

#include <algorithm>
#include <tuple>

namespace nmib::cli
{

namespace
{
constexpr const char *active_interface = "org.freedesktop.NetworkManager.Connection.Active";

std::optional<std::string> show_group(const Options &options, const ActiveSource &source, const ActiveField &field)
{
    auto values = field.group->read(source);
    if (!values) return std::nullopt;
    const bool multiline = options.multiline.value_or(true);
    const char *nothing = options.print == Options::Print::terse ? "" : "--";
    std::vector<Cell> cells;
    if (!multiline && !field.name) cells.push_back({nm("GROUP"), field.group->name});
    for (std::size_t i = 0; i < values->size(); i++) {
        const std::string title = field.group->all_fields[i];
        if (!is_field(title) || (field.name && title != field.name)) continue;
        if (std::holds_alternative<std::monostate>((*values)[i])) continue;
        const auto *list = std::get_if<Words>(&(*values)[i]);
        if (list && multiline) {
            for (std::size_t n = 0; n < list->size(); n++)
                cells.push_back({title + "[" + std::to_string(n + 1) + "]", (*list)[n]});
        } else {
            const auto value = list ? join(*list, " | ") : std::get<std::string>((*values)[i]);
            cells.push_back({title, value.empty() ? nothing : value});
        }
    }
    return table(options, field.group->name, cells);
}

/// nmcli's order of what is active of one profile.
auto rank(const Daemon &daemon, const ActiveConnection &active)
{
    const auto count = [&](const char *property, const char *interface) -> std::int64_t {
        const auto path = active.properties.object(property);
        const auto all =
            path.empty() ? Result<Variant>(bad("")) : daemon.property(path.c_str(), interface, "AddressData");
        return all ? static_cast<std::int64_t>(g_variant_n_children(all->get())) : 0;
    };
    constexpr std::int64_t order[] = {0, 3, 4, 2, 1}; // by state: the further it is, the earlier it comes
    const auto state = active.properties.number("State");
    auto rank = state < std::size(order) ? order[state] : -1;
    // From 1.44 on what is external comes behind the rest, and what has most of the following before it.
    const bool newer = has_version(44);
    const bool external = active.properties.number("StateFlags") & NM_ACTIVATION_STATE_FLAG_EXTERNAL;
    if (newer) rank += rank < 0 ? -external : external ? 0 : static_cast<std::int64_t>(std::size(order));
    const std::int64_t sign = newer ? -1 : 1;
    return std::tuple(-rank, sign * active.properties.flag("Default"), sign * active.properties.flag("Default6"),
                      sign * (count("Ip4Config", "org.freedesktop.NetworkManager.IP4Config") +
                              count("Ip6Config", "org.freedesktop.NetworkManager.IP6Config")),
                      active.path);
}
} // namespace

void Actives::ask()
{
    if (!asked_)
        asked_ = daemon_->ask_property("/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager",
                                       "ActiveConnections");
}

const Words &Actives::paths()
{
    if (paths_) return *paths_;
    ask();
    const auto all = daemon_->property_in(*asked_);
    paths_.emplace();
    for (std::size_t i = 0; all && i < g_variant_n_children(all->get()); i++) {
        const Variant path(g_variant_get_child_value(all->get(), i));
        paths_->emplace_back(g_variant_get_string(path.get(), nullptr));
    }
    return *paths_;
}

std::optional<ActiveConnection> read_active(const Daemon &daemon, const std::string &path)
{
    auto properties = Properties::of(daemon, path, active_interface);
    if (!properties) return std::nullopt; // it has ended meanwhile
    return ActiveConnection{path, std::move(*properties)};
}

std::optional<std::string> active_profile(const Daemon &daemon, const std::string &interface)
{
    if (!g_utf8_validate(interface.c_str(), -1, nullptr)) return std::nullopt; // D-Bus cannot name it
    const auto device = daemon.path_of_device(interface);
    if (!device) return std::nullopt;
    const auto about = Properties::of(daemon, *device, "org.freedesktop.NetworkManager.Device");
    const auto path = about ? about->object("ActiveConnection") : std::string();
    const auto active = path.empty() ? std::nullopt : read_active(daemon, path);
    if (!active) return std::nullopt;
    return active->properties.text("Uuid");
}

std::vector<ActiveConnection> Actives::of(const std::string &profile)
{
    std::vector<ActiveConnection> found;
    const auto profiles = daemon_->property_of_each(paths(), active_interface, "Connection");
    for (std::size_t i = 0; i < profiles.size(); i++) {
        if (!profiles[i] || profile != g_variant_get_string(profiles[i]->get(), nullptr)) continue;
        if (auto active = read_active(*daemon_, (*paths_)[i])) found.push_back(std::move(*active));
    }
    if (found.size() > 1)
        std::sort(found.begin(), found.end(), [&](const ActiveConnection &a, const ActiveConnection &b) {
            return rank(*daemon_, a) < rank(*daemon_, b);
        });
    return found;
}

std::string show_active(const Options &options, const ActiveSource &source, std::span<const ActiveField> fields)
{
    auto text = banner(options, std::string(nm("Active connection details")) + " (" +
                                    source.active.properties.text("Uuid") + ")");
    const bool apart = options.print != Options::Print::terse && !options.multiline.value_or(true);
    bool before = false;
    for (const auto &field : fields) {
        if (apart && before) text += "\n";
        const auto group = show_group(options, source, field);
        before = group.has_value();
        if (group) text += *group;
    }
    return text;
}

} // namespace nmib::cli
