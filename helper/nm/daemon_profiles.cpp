// SPDX-License-Identifier: LGPL-2.1-or-later
/// The calls of Daemon for whole profiles: the linker takes libnm only for these.
#include "nm/daemon.hpp"

namespace nmib::cli
{

namespace
{
std::string text_in(GVariant *group, const char *key)
{
    const char *value = nullptr;
    return g_variant_lookup(group, key, "&s", &value) ? value : "";
}

std::optional<ProfileRef> ref_from(GVariant *settings, const std::string &path)
{
    const Variant group(g_variant_lookup_value(settings, "connection", G_VARIANT_TYPE_VARDICT));
    if (!group) return std::nullopt;
    return ProfileRef{.uuid = text_in(group.get(), "uuid"),
                      .id = text_in(group.get(), "id"),
                      .interface = text_in(group.get(), "interface-name"),
                      .type = text_in(group.get(), "type"),
                      .path = path};
}

Bus::Call get_settings(const std::string &path)
{
    return {NM_DBUS_SERVICE, path.c_str(), NM_DBUS_INTERFACE_SETTINGS_CONNECTION,
            "GetSettings",   nullptr,      "(a{sa{sv}})"};
}

Result<Object<NMConnection>> profile_in(const Result<Variant> &reply, const std::string &path)
{
    if (!reply) return reply.error();
    const Variant settings(g_variant_get_child_value(reply->get(), 0));
    Object<NMConnection> c(nm_simple_connection_new());
    GErrorSlot error;
    if (!nm_connection_replace_settings(c.get(), settings.get(), error)) return bad(error.message());
    nm_connection_set_path(c.get(), path.c_str());
    return c;
}
} // namespace

Result<Object<NMConnection>> Daemon::profile(const std::string &path) const
{
    return profile_in(bus_.call(get_settings(path)), path);
}

Result<std::string> Daemon::add(NMConnection *connection, bool save) const
{
    const unsigned flags = save ? NM_SETTINGS_ADD_CONNECTION2_FLAG_TO_DISK : NM_SETTINGS_ADD_CONNECTION2_FLAG_IN_MEMORY;
    const auto reply =
        call(NM_DBUS_PATH_SETTINGS, NM_DBUS_INTERFACE_SETTINGS, "AddConnection2",
             g_variant_new("(@a{sa{sv}}u@a{sv})", nm_connection_to_dbus(connection, NM_CONNECTION_SERIALIZE_ALL), flags,
                           g_variant_new_array(G_VARIANT_TYPE("{sv}"), nullptr, 0)),
             "(oa{sv})");
    if (!reply) return reply.error();
    const char *path = nullptr;
    g_variant_get_child(reply->get(), 0, "&o", &path);
    return std::string(path);
}

Result<void> Daemon::update(const std::string &path, NMConnection *connection, bool save) const
{
    const unsigned flags = save ? NM_SETTINGS_UPDATE2_FLAG_TO_DISK : NM_SETTINGS_UPDATE2_FLAG_IN_MEMORY;
    const auto reply =
        call(path.c_str(), NM_DBUS_INTERFACE_SETTINGS_CONNECTION, "Update2",
             g_variant_new("(@a{sa{sv}}u@a{sv})", nm_connection_to_dbus(connection, NM_CONNECTION_SERIALIZE_ALL), flags,
                           g_variant_new_array(G_VARIANT_TYPE("{sv}"), nullptr, 0)),
             "(a{sv})");
    if (!reply) return reply.error();
    return {};
}

void Daemon::each_profile(const Words &uuids, const std::function<void(NMConnection *)> &look) const
{
    auto paths = paths_of(uuids);
    std::erase(paths, "");
    each_profile_at(paths, [&](const std::string &, const Result<Object<NMConnection>> &profile) {
        if (profile) look(profile->get());
    });
}

void Daemon::each_profile_at(
    const Words &paths,
    const std::function<void(const std::string &path, const Result<Object<NMConnection>> &)> &look) const
{
    const auto replies = bus_.call_each(paths.size(), [&](std::size_t i) { return get_settings(paths[i]); });
    for (std::size_t i = 0; i < paths.size(); i++) look(paths[i], profile_in(replies[i], paths[i]));
}

std::vector<ProfileRef> Daemon::ask_names(const Words &paths) const
{
    std::vector<ProfileRef> refs;
    const auto replies = bus_.call_each(paths.size(), [&](std::size_t i) { return get_settings(paths[i]); });
    for (std::size_t i = 0; i < paths.size(); i++) {
        if (!replies[i]) continue;
        const Variant settings(g_variant_get_child_value(replies[i]->get(), 0));
        if (auto ref = ref_from(settings.get(), paths[i])) refs.push_back(std::move(*ref));
    }
    return refs;
}

} // namespace nmib::cli
