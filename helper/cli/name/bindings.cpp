// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/bindings.hpp"

#include "cli/base/profile.hpp"
#include "cli/daemon/properties.hpp"
#include "core/diagnose/trouble.hpp"
#include "core/printable.hpp"

namespace nmib::cli
{

namespace
{
/// Why a profile cannot be stored on disk under NetworkManager's hands, where it is; empty when it can.
std::string hindrance_of(const Daemon &daemon, const std::string &path, NMConnection *profile)
{
    const auto about = Properties::of(daemon, path, "org.freedesktop.NetworkManager.Settings.Connection");
    if (!about) return about.error().what;
    const auto file = about->text("Filename");
    const auto flags = about->number("Flags");
    auto *base = nm_connection_get_setting_connection(profile);
    if (base && nm_setting_connection_get_read_only(base)) return _("it is read-only");
    if (flags & (NM_SETTINGS_CONNECTION_FLAG_NM_GENERATED | NM_SETTINGS_CONNECTION_FLAG_VOLATILE |
                 NM_SETTINGS_CONNECTION_FLAG_EXTERNAL))
        return _("NetworkManager made it of what it found, and does not keep it");
    if (file.starts_with("/run/"))
        return form(_("it, or a change of it, is only in %s, which no boot leaves as it is"), printable(file).c_str());
    if (generator_of(file))
        return form(_("%s is written again by the program that made it; change its source"), printable(file).c_str());
    if (file.empty() || about->flag("Unsaved") || (flags & NM_SETTINGS_CONNECTION_FLAG_UNSAVED))
        return _("it, or a change of it, is in memory only");
    if (file.starts_with("/usr/"))
        return form(_("%s is not the administrator's: change a copy in /etc"), printable(file).c_str());
    return {};
}

/// Looks at all profiles there are.
Result<void> each(const Daemon &daemon, const std::function<void(const std::string &path, NMConnection *)> &look)
{
    const auto paths = daemon.profile_paths();
    if (!paths) return paths.error();
    std::optional<Error> failed;
    daemon.each_profile_at(*paths, [&](const std::string &path, const Result<Object<NMConnection>> &profile) {
        if (profile)
            look(path, profile->get());
        else if (!failed)
            failed = Error{Error::Kind::denied, form(_("profile %s cannot be read: %s"), path.c_str(),
                                                     printable(profile.error().what).c_str())};
    });
    if (failed) return *failed;
    return {};
}
} // namespace

Result<std::vector<NameUser>> profiles_with_name(const Daemon &daemon, const IfName &name, const Guid &port)
{
    std::vector<NameUser> users;
    const auto looked = each(daemon, [&](const std::string &, NMConnection *c) {
        if (str(nm_connection_get_interface_name(c)) != name.view()) return;
        users.push_back({str(nm_connection_get_id(c)), str(nm_connection_get_uuid(c)),
                         str(nm_connection_get_connection_type(c)), may_be_for_port(c, port)});
    });
    if (!looked) return looked.error();
    return users;
}

Result<ProfileMove> ProfileMove::of(const Daemon &daemon, const IfName &from, const IfName &to)
{
    ProfileMove move(daemon, from, to);
    std::vector<Object<NMConnection>> bound;
    const auto looked = each(daemon, [&](const std::string &path, NMConnection *c) {
        auto edits = follow_name(c, from, to);
        if (edits.empty()) return;
        move.bindings_.push_back({str(nm_connection_get_id(c)),
                                  str(nm_connection_get_uuid(c)),
                                  str(nm_connection_get_connection_type(c)),
                                  path,
                                  std::move(edits),
                                  {}});
        bound.push_back(copy_of(c));
    });
    if (!looked) return looked.error();
    for (std::size_t i = 0; i < bound.size(); i++)
        move.bindings_[i].hindrance = hindrance_of(daemon, move.bindings_[i].path, bound[i].get());
    return move;
}

Error ProfileMove::cannot_move(const Binding &b) const
{
    return {Error::Kind::refused, form(_("profile '%s' (%s) is bound to %s and cannot be moved to %s: %s"),
                                       printable(b.id).c_str(), b.uuid.c_str(), printable(from_.view()).c_str(),
                                       printable(to_.view()).c_str(), printable(b.hindrance).c_str())};
}

std::optional<Error> ProfileMove::hindrance() const
{
    for (const auto &b : bindings_)
        if (!b.hindrance.empty()) return cannot_move(b);
    return std::nullopt;
}

Result<ProfileMove::Stored> ProfileMove::prepare(const Binding &binding) const
{
    auto now = binding;
    const auto fails = [&](std::string why) {
        now.hindrance = std::move(why);
        return cannot_move(now);
    };
    auto before = daemon_->profile(binding.path);
    if (!before) return fails(before.error().what);
    auto after = copy_of(before->get());
    auto edits = follow_name(after.get(), from_, to_);
    if (auto why = hindrance_of(*daemon_, binding.path, before->get()); !why.empty()) return fails(std::move(why));
    if (const auto sound = normalized(after.get()); !sound) return fails(sound.error().what);
    return Stored{binding.id, binding.uuid, binding.path, std::move(*before), std::move(after), std::move(edits)};
}

Result<void> ProfileMove::make()
{
    if (const auto error = hindrance()) return *error;
    std::vector<Stored> all;
    for (const auto &b : bindings_) {
        auto one = prepare(b);
        if (!one) return one.error();
        if (!one->edits.empty()) all.push_back(std::move(*one)); // else somebody was faster
    }
    stored_.clear();
    for (auto &one : all) {
        const auto r = daemon_->update(one.path, one.after.get(), true);
        if (!r) {
            const auto left = take_back();
            return Error{Error::Kind::refused,
                         form(_("profile '%s' (%s) could not be stored: %s; %s"), printable(one.id).c_str(),
                              one.uuid.c_str(), printable(r.error().what).c_str(),
                              left.empty() ? _("all profiles are as before") : join(left, "; ").c_str())};
        }
        stored_.push_back(std::move(one));
    }
    return {};
}

Words ProfileMove::take_back()
{
    Words left;
    for (; !stored_.empty(); stored_.pop_back()) {
        const auto &one = stored_.back();
        const auto r = daemon_->update(one.path, one.before.get(), true);
        if (!r)
            left.push_back(form(_("profile '%s' could not be put back (%s), type: %s"), printable(one.id).c_str(),
                                printable(r.error().what).c_str(), line_to_undo(one.uuid, one.edits).c_str()));
    }
    return left;
}

Words ProfileMove::to_go_back() const
{
    Words lines;
    for (const auto &one : stored_) lines.push_back(line_to_undo(one.uuid, one.edits));
    return lines;
}

} // namespace nmib::cli
