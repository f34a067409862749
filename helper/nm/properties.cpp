// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/properties.hpp"

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

std::string Properties::object(const char *name) const
{
    const auto value = get(name, "o");
    const std::string path = value ? g_variant_get_string(value.get(), nullptr) : "/";
    return path == "/" ? "" : path;
}

} // namespace nmib::cli
