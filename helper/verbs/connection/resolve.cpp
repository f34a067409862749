// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verbs/connection/resolve.hpp"

#include "core/ib/hwaddr.hpp"

#include <algorithm>
#include <glib.h>

namespace nmib::cli
{

namespace
{
/// Returns a hardware address in the default subnet.
std::string address_of(const Guid &guid)
{
    auto address = "80:00:00:00:fe:80:00:00:00:00:00:00:" + guid.bytes();
    std::transform(address.begin(), address.end(), address.begin(), g_ascii_toupper);
    return address;
}

/// Returns the profile that nmcli uses as controller (src/nmcli/connections.c, normalized_master_for_slave): first by
/// UUID or interface, then by name.
const ProfileRef *find_controller(const std::vector<ProfileRef> &all, const std::string &word, const std::string &type)
{
    using Field = std::string ProfileRef::*;
    const auto with = [&](const std::string &value, std::initializer_list<Field> fields) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const ProfileRef &p) {
            return (type.empty() || p.type == type) &&
                   std::any_of(fields.begin(), fields.end(), [&](Field f) { return p.*f == value; });
        });
        return found == all.end() ? nullptr : &*found;
    };
    if (word.starts_with("ifname/")) return with(word.substr(7), {&ProfileRef::interface});
    if (word.starts_with("uuid/")) return with(word.substr(5), {&ProfileRef::uuid});
    if (word.starts_with("id/")) return with(word.substr(3), {&ProfileRef::id});
    const auto *found = with(word, {&ProfileRef::uuid, &ProfileRef::interface});
    return found ? found : with(word, {&ProfileRef::id});
}
} // namespace

Words resolve_guids(PropertyWords &words)
{
    Words lines;
    words.rewrite(Property::mac_address, [&](const std::string &value) -> std::optional<std::string> {
        const auto guid = Guid::parse(value);
        if (!guid) return std::nullopt;
        const auto address = address_of(*guid);
        lines.push_back(form("port GUID {} stored as {}", value, address));
        return address;
    });
    return lines;
}

void resolve_controller(PropertyWords &words, const Profiles &profiles)
{
    if (!words.sets(Property::controller)) return;
    const auto &word = *words.find(Property::controller);
    const auto *type = words.find(Property::port_type);
    const auto &all = profiles.all();
    const auto *found = find_controller(all, word, type ? *type : "");
    if (!found) return;
    const auto slash = word.find('/');
    const auto plain = word.starts_with("ifname/") || word.starts_with("uuid/") ? word.substr(slash + 1) : word;
    words.name_controller(plain == found->uuid || plain == found->interface ? plain : found->uuid, found->type);
}

} // namespace nmib::cli
