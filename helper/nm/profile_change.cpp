// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/profile_change.hpp"

#include "core/base/text.hpp"
#include "core/doctor/trouble.hpp"
#include "nm/properties.hpp"

namespace nmib::cli
{

std::string hindrance_of(const Daemon &daemon, const std::string &path, NMConnection *profile)
{
    const auto about = Properties::of(daemon, path, "org.freedesktop.NetworkManager.Settings.Connection");
    if (!about) return about.error().what;
    const auto file = about->text("Filename");
    const auto flags = about->number("Flags");
    auto *base = nm_connection_get_setting_connection(profile);
    if (base && nm_setting_connection_get_read_only(base)) return _("the profile is read-only");
    if (flags & (NM_SETTINGS_CONNECTION_FLAG_NM_GENERATED | NM_SETTINGS_CONNECTION_FLAG_VOLATILE |
                 NM_SETTINGS_CONNECTION_FLAG_EXTERNAL))
        return _("NetworkManager generated the profile, and does not save it");
    if (file.starts_with("/run/"))
        return form("the profile, or a change of the profile, is only in {}, and is lost at a reboot", printable(file));
    if (generator_of(file)) return form("another program generates {} again; change its source", printable(file));
    if (file.empty() || about->flag("Unsaved") || (flags & NM_SETTINGS_CONNECTION_FLAG_UNSAVED))
        return _("the profile, or a change of the profile, is in memory only");
    if (file.starts_with("/usr/")) return form("{} is not below /etc; change a copy in /etc", printable(file));
    return {};
}

Result<void> store(const Daemon &daemon, std::span<const ProfileChange> changes)
{
    for (std::size_t i = 0; i < changes.size(); i++) {
        const auto &one = changes[i];
        const auto r = daemon.update(one.path, one.after.get(), true);
        if (r) continue;
        const bool may_be_done = r.error().kind == Error::Kind::io; // no answer
        const auto left = restore(daemon, changes.first(may_be_done ? i + 1 : i));
        return Error{Error::Kind::refused,
                     form("profile '{}' ({}) cannot be saved: {}; {}", printable(one.id), one.uuid,
                          printable(r.error().what),
                          left.empty() ? std::string(_("all profiles are as before")) : join(left, "; "))};
    }
    return {};
}

Words restore(const Daemon &daemon, std::span<const ProfileChange> changes)
{
    Words left;
    for (; !changes.empty(); changes = changes.first(changes.size() - 1)) {
        const auto &one = changes.back();
        const auto r = daemon.update(one.path, one.before.get(), true);
        if (!r)
            left.push_back(form("profile '{}' cannot be restored: {}; to restore the profile: {}", printable(one.id),
                                printable(r.error().what), one.to_undo));
    }
    return left;
}

} // namespace nmib::cli
