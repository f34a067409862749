// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/profiles.hpp"

#include <algorithm>
#include <glib.h>

namespace nmib::cli
{

std::vector<std::string> profile_directories()
{
    return {"/run/NetworkManager/system-connections", "/etc/NetworkManager/system-connections",
            "/usr/lib/NetworkManager/system-connections"};
}

bool is_keyfile_name(const std::string &directory, std::string_view name)
{
    constexpr std::string_view suffix = ".nmconnection";
    if (name.empty() || name.front() == '.') return false;
    if (!directory.starts_with("/etc/")) return name.size() > suffix.size() && name.ends_with(suffix);
    const auto ending = name.substr(std::min(name.rfind('.'), name.size()));
    const bool temporary =
        ending.size() == 7 && std::all_of(ending.begin() + 1, ending.end(), [](char c) { return g_ascii_isalnum(c); });
    const auto is = [&](const char *other) { return g_ascii_strcasecmp(std::string(ending).c_str(), other) == 0; };
    return name.back() != '~' && !temporary && !(name.size() > 4 && (is(".pem") || is(".der")));
}

namespace
{
/// Rates a match: 2 for the whole UUID, 1 for a part of the UUID or the ID, 0 for no match.
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

const std::vector<ProfileRef> &Profiles::all() const
{
    if (!all_) all_ = daemon_->ask_names(paths());
    return *all_;
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
    for (const auto &ref : selector == "filename" ? std::vector<ProfileRef>{} : all())
        if (const int fit = fits(ref, selector, value)) found.insert(fit == 2 ? found.begin() : found.end(), ref);
    if (selector == "uuid" && found.size() > 1 && found.front().uuid != value) return {};
    return found;
}

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
