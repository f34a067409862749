// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/states.hpp"

#include "cli/daemon/properties.hpp"

namespace nmib::cli
{

namespace
{
/// nmcli's words (src/libnmc-base/nm-client-utils.c, nmc_device_state_to_string).
const char *word_of(unsigned state)
{
    switch (state) {
    case NM_DEVICE_STATE_UNMANAGED: return "unmanaged";
    case NM_DEVICE_STATE_UNAVAILABLE: return "unavailable";
    case NM_DEVICE_STATE_DISCONNECTED: return "disconnected";
    case NM_DEVICE_STATE_PREPARE:
    case NM_DEVICE_STATE_CONFIG:
    case NM_DEVICE_STATE_NEED_AUTH:
    case NM_DEVICE_STATE_IP_CONFIG:
    case NM_DEVICE_STATE_IP_CHECK:
    case NM_DEVICE_STATE_SECONDARIES: return "connecting";
    case NM_DEVICE_STATE_ACTIVATED: return "connected";
    case NM_DEVICE_STATE_DEACTIVATING: return "deactivating";
    case NM_DEVICE_STATE_FAILED: return "failed";
    default: return "unknown";
    }
}

/// The properties of those that answered, by their place among the paths.
std::map<std::size_t, Properties> ask(const Daemon &daemon, const Words &paths, const char *interface)
{
    std::map<std::size_t, Properties> all;
    const auto replies = daemon.properties_of(paths, interface);
    for (std::size_t i = 0; i < paths.size(); i++)
        if (replies[i]) all.emplace(i, Properties(Variant(g_variant_get_child_value(replies[i]->get(), 0))));
    return all;
}
} // namespace

std::map<std::string, DeviceState> ask_device_states(const Daemon &daemon, const Words &interfaces)
{
    Words known, devices, active;
    const auto paths = daemon.paths_of_devices(interfaces);
    for (std::size_t i = 0; i < paths.size(); i++) {
        if (paths[i].empty()) continue;
        known.push_back(interfaces[i]);
        devices.push_back(paths[i]);
    }
    std::map<std::string, DeviceState> states;
    Words activated; // the interfaces of `active`
    for (const auto &[i, about] : ask(daemon, devices, "org.freedesktop.NetworkManager.Device")) {
        const auto number = about.number("State");
        states[known[i]] = {.number = number, .word = word_of(number)};
        if (auto path = about.object("ActiveConnection"); !path.empty()) {
            active.push_back(std::move(path));
            activated.push_back(known[i]);
        }
    }
    for (const auto &[i, about] : ask(daemon, active, "org.freedesktop.NetworkManager.Connection.Active")) {
        states[activated[i]].profile = about.text("Id");
        states[activated[i]].uuid = about.text("Uuid");
    }
    return states;
}

std::map<std::string, std::string> unit_states(const Bus &bus, std::initializer_list<const char *> patterns)
{
    GVariantBuilder states, names;
    g_variant_builder_init(&states, G_VARIANT_TYPE("as"));
    g_variant_builder_init(&names, G_VARIANT_TYPE("as"));
    for (const auto *p : patterns) g_variant_builder_add(&names, "s", p);
    const auto reply =
        bus.call({"org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
                  "ListUnitsByPatterns", g_variant_new("(asas)", &states, &names), "(a(ssssssouso))"});
    std::map<std::string, std::string> all;
    if (!reply) return all; // another init, or an old one
    const Variant list(g_variant_get_child_value(reply->get(), 0));
    for (gsize i = 0; i < g_variant_n_children(list.get()); i++) {
        const Variant unit(g_variant_get_child_value(list.get(), i));
        const char *name = nullptr, *state = nullptr;
        g_variant_get_child(unit.get(), 0, "&s", &name);
        g_variant_get_child(unit.get(), 3, "&s", &state); // name, description, load state, active state
        all[name] = state;
    }
    return all;
}

} // namespace nmib::cli
