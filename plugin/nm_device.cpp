// SPDX-License-Identifier: GPL-2.0-or-later
#include "nm_device.hpp"

#include "configuration.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
constexpr const char *setting_type = "NMSettingInfiniband";

bool has(GObject *object, const char *name, GType type, GParamFlags access) noexcept
{
    const auto *p = object ? g_object_class_find_property(G_OBJECT_GET_CLASS(object), name) : nullptr;
    return p && p->value_type == type && (p->flags & access) == access;
}

template<class T> std::optional<T> read(GObject *object, const char *name, GType type)
{
    if (!has(object, name, type, G_PARAM_READABLE)) return std::nullopt;
    T value{};
    g_object_get(object, name, &value, nullptr);
    return value;
}

std::optional<std::string> read_string(GObject *object, const char *name)
{
    const auto text = read<gchar *>(object, name, G_TYPE_STRING);
    if (!text || !*text) return std::nullopt;
    const std::unique_ptr<gchar, void (*)(gpointer)> owned(*text, g_free);
    return std::string(owned.get());
}

} // namespace

bool NmDevice::is_infiniband(gpointer instance) noexcept
{
    static GType type = 0;
    if (!type) type = g_type_from_name("NMDeviceInfiniband");
    return type && instance && g_type_is_a(G_TYPE_FROM_INSTANCE(instance), type);
}

int NmDevice::ifindex() const { return std::max(read<gint>(object(), "ifindex", G_TYPE_INT).value_or(0), 0); }
std::string NmDevice::name() const { return read_string(object(), "interface").value_or("?"); }
guint NmDevice::state() const { return read<guint>(object(), "state", G_TYPE_UINT).value_or(0); }
bool NmDevice::carrier() const { return read<gboolean>(object(), "carrier", G_TYPE_BOOLEAN).value_or(FALSE); }
bool NmDevice::is_pending() const
{
    return read<gboolean>(object(), "has-pending-action", G_TYPE_BOOLEAN).value_or(FALSE);
}
bool NmDevice::has_request() const { return abi::api().act_request && abi::api().act_request(device_); }

bool NmDevice::hands_off() const
{
    auto *request = has_request() ? static_cast<GObject *>(abi::api().act_request(device_)) : nullptr;
    const auto flags = read<guint>(request, "state-flags", G_TYPE_UINT);
    return !flags || (*flags & abi::activation_external) != 0;
}

GObject *NmDevice::applied() const
{
    const auto f = abi::api().applied_connection;
    return f ? reinterpret_cast<GObject *>(f(device_)) : nullptr;
}

GObject *NmDevice::setting(const char *type_name) const
{
    const GType type = g_type_from_name(type_name);
    return type ? static_cast<GObject *>(abi::api().applied_setting(device_, type)) : nullptr;
}

std::string NmDevice::profile_uuid() const { return read_string(setting("NMSettingConnection"), "uuid").value_or(""); }

std::optional<Intent> NmDevice::intent() const
{
    auto *s = setting(setting_type);
    const auto word = mode();
    Intent intent;
    const auto mtu = read<guint>(s, "mtu", G_TYPE_UINT);
    if (!word || !mtu) return std::nullopt;
    intent.mtu = std::min<Mtu>(*mtu, mtu::connected_maximum);
    intent.ipv6_mtu = read<guint>(setting("NMSettingIP6Config"), "mtu", G_TYPE_UINT).value_or(0);
    intent.ifindex = ifindex();
    auto *base = setting("NMSettingConnection");
    intent.profile = read_string(base, "id").value_or("");
    intent.anywhere = read_string(base, "interface-name").value_or("").empty();
    intent.mode = parse_mode(*word);
    if (const auto key = read<gint>(s, "p-key", G_TYPE_INT); key && *key >= 0 && *key <= 0xffff)
        intent.p_key = static_cast<std::uint16_t>(*key);
    if (const auto parent = read_string(s, "parent")) intent.parent = IfName::parse(*parent);
    intent.skip = configuration().opted_out.contains(profile_uuid());
    return intent;
}

bool NmDevice::opted_out(gpointer active_connection)
{
    return configuration().may_be_opted_out(
        read_string(static_cast<GObject *>(active_connection), "uuid").value_or(""));
}

std::optional<std::string> NmDevice::mode() const { return read_string(setting(setting_type), "transport-mode"); }

bool NmDevice::set_mode(const std::string &word)
{
    auto *s = setting(setting_type);
    if (applies_stored() || !has(s, "transport-mode", G_TYPE_STRING, G_PARAM_WRITABLE)) return false;
    g_object_set(s, "transport-mode", word.c_str(), nullptr);
    return mode() == word;
}

bool NmDevice::applies_stored() const
{
    const auto &api = abi::api();
    auto *stored = api.settings_connection ? api.settings_connection(device_) : nullptr;
    return stored && api.stored_connection && reinterpret_cast<GObject *>(api.stored_connection(stored)) == applied();
}

} // namespace nmib
