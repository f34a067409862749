// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/properties.hpp"

namespace nmib::cli
{

Result<Properties> Properties::of(const Daemon &daemon, const std::string &path, const char *interface)
{
    const auto reply = daemon.call(path.c_str(), "org.freedesktop.DBus.Properties", "GetAll",
                                   g_variant_new("(s)", interface), "(a{sv})");
    if (!reply) return reply.error();
    return Properties(Variant(g_variant_get_child_value(reply->get(), 0)));
}

Variant Properties::get(const char *name, const char *type) const
{
    return Variant(g_variant_lookup_value(all_.get(), name, G_VARIANT_TYPE(type)));
}

std::string Properties::text(const char *name) const
{
    const auto value = get(name, "s");
    return value ? g_variant_get_string(value.get(), nullptr) : "";
}

bool Properties::flag(const char *name) const
{
    const auto value = get(name, "b");
    return value && g_variant_get_boolean(value.get());
}

std::uint32_t Properties::number(const char *name) const
{
    const auto value = get(name, "u");
    return value ? g_variant_get_uint32(value.get()) : 0;
}

Words Properties::list(const char *name) const
{
    Words words;
    auto value = get(name, "as");
    if (!value) value = get(name, "ao");
    for (std::size_t i = 0; value && i < g_variant_n_children(value.get()); i++) {
        const Variant item(g_variant_get_child_value(value.get(), i));
        words.emplace_back(g_variant_get_string(item.get(), nullptr));
    }
    return words;
}

std::string Properties::object(const char *name) const
{
    const auto value = get(name, "o");
    const std::string path = value ? g_variant_get_string(value.get(), nullptr) : "/";
    return path == "/" ? "" : path;
}

} // namespace nmib::cli
