// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/unit_states.hpp"

namespace nmib::cli
{

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
