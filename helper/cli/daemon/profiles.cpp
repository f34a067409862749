// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/profiles.hpp"

#include "cli/daemon/keyfiles.hpp"

#include <algorithm>
#include <future>

namespace nmib::cli
{

namespace
{
/// How well a profile fits: 2 by its UUID, 1 otherwise.
int fits(const ProfileRef &ref, std::string_view selector, std::string_view value)
{
    const bool any = selector.empty();
    if ((any || selector == "uuid") && ref.uuid == value) return 2;
    if (selector == "uuid") return !value.empty() && ref.uuid.starts_with(value);
    return (any || selector == "id") && ref.id == value;
}
} // namespace

const Words &Profiles::paths() const
{
    if (!paths_) {
        auto listed = daemon_->profile_paths();
        if (!listed && listed.error().kind == Error::Kind::io) unanswered_ = listed.error();
        paths_ = listed ? std::move(*listed) : Words{};
    }
    return *paths_;
}

const std::optional<std::vector<ProfileRef>> &Profiles::stored() const
{
    if (!stored_) {
        auto scan = std::async(std::launch::async, [] { return scan_keyfiles(); }); // while the daemon answers
        (void)paths();
        stored_ = scan.get();
        if (*stored_ && (*stored_)->size() != paths().size()) stored_->reset(); // not loaded, or in memory only
    }
    return *stored_;
}

const std::vector<ProfileRef> &Profiles::loaded() const
{
    if (!loaded_) loaded_ = daemon_->ask_names(paths());
    return *loaded_;
}

const std::vector<ProfileRef> &Profiles::all() const
{
    if (!loaded_ && stored()) return **stored_;
    return loaded();
}

bool Profiles::confirm(ProfileRef &ref) const
{
    auto path = daemon_->path_of(ref.uuid);
    if (!path) return false;
    const auto named = daemon_->ask_names({*path});
    ref.path = std::move(*path);
    return named.size() == 1 && named.front().id == ref.id && daemon_->ask_files({ref.path}).front() == ref.file;
}

bool Profiles::may_hide_namesake(const ProfileRef &ref) const
{
    constexpr std::time_t margin = 2; // seconds: a file is read a moment after the start, and has the time of a tick
    const auto started = daemon_->started();
    if (!started) return true;
    Words changed;
    for (const auto &r : **stored_)
        if (r.uuid != ref.uuid && r.changed >= *started - margin) changed.push_back(r.uuid);
    if (changed.size() > stored_->value().size() / 2) return true; // which are two questions each
    const auto named = daemon_->ask_names(daemon_->paths_of(changed));
    return named.size() < changed.size() || find_ref(named, &ProfileRef::id, ref.id);
}

std::optional<ProfileRef> Profiles::only_one(const std::string &id) const
{
    if (loaded_ || !stored()) return std::nullopt;
    const auto *first = find_ref(**stored_, &ProfileRef::id, id);
    if (!first || namesakes(id, first->uuid) > 0) return std::nullopt;
    auto ref = *first;
    if (!confirm(ref) || may_hide_namesake(ref)) return std::nullopt;
    return ref;
}

std::vector<ProfileRef> Profiles::find(const std::string &selector, const std::string &value) const
{
    const bool any = selector.empty(), is_file = selector == "filename" || (any && value.starts_with('/'));
    std::vector<ProfileRef> found;
    if (selector == "path" || is_file) {
        const auto path = value.starts_with('/') ? value : "/org/freedesktop/NetworkManager/Settings/" + value;
        if (selector != "filename" && g_variant_is_object_path(path.c_str())) found = daemon_->ask_names({path});
        if (!found.empty() || selector == "path") return found;
    }
    if ((any || selector == "uuid") && g_uuid_string_is_valid(value.c_str()))
        if (auto path = daemon_->path_of(value)) return {{.uuid = value, .path = std::move(*path)}};
    if (is_file) {
        const auto files = daemon_->ask_files(paths());
        for (std::size_t i = 0; i < files.size(); i++)
            if (files[i] == value) return {{.path = paths()[i]}};
    }
    if (any || selector == "id")
        if (auto one = only_one(value)) return {std::move(*one)};
    for (const auto &ref : selector == "filename" ? std::vector<ProfileRef>{} : loaded())
        if (const int fit = fits(ref, selector, value)) found.insert(fit == 2 ? found.begin() : found.end(), ref);
    if (selector == "uuid" && found.size() > 1 && found.front().uuid != value) return {};
    return found;
}

Result<std::string> Profiles::add(NMConnection *connection, bool save) const { return daemon_->add(connection, save); }

unsigned Profiles::namesakes(const std::string &id, const std::string &uuid) const
{
    return static_cast<unsigned>(
        std::count_if(all().begin(), all().end(), [&](const ProfileRef &r) { return r.id == id && r.uuid != uuid; }));
}

std::string Profiles::free_name(const std::string &wanted) const
{
    auto name = wanted;
    for (unsigned n = 1; namesakes(name, {}) > 0; n++) name = wanted + "-" + std::to_string(n);
    return name;
}

} // namespace nmib::cli
