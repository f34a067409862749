// SPDX-License-Identifier: LGPL-2.1-or-later
/// Finds profiles by the names people give them.
#include "cli/daemon.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
/// How well a profile fits: 2 by its UUID, 1 otherwise.
int fits(const Known &k, const std::string &selector, const std::string &value)
{
    const bool any = selector.empty();
    if (any || selector == "uuid") {
        if (k.uuid == value) return 2;
        if (!any && !value.empty() && k.uuid.starts_with(value)) return 1;
    }
    if ((any || selector == "id") && k.id == value) return 1;
    return (any || selector == "filename") && !k.file.empty() && k.file == value;
}
} // namespace

const std::vector<Known> &Profiles::all() const
{
    if (all_) return *all_;
    auto paths = daemon_->profiles();
    paths_ = paths ? std::move(*paths) : Words{};
    all_ = scan_->take();
    // Files that are not loaded, or profiles that are no files: only the daemon knows.
    if (!all_ || all_->size() != paths_.size()) all_ = daemon_->ask_names(paths_);
    return *all_;
}

std::vector<Known> Profiles::find(const std::string &selector, const std::string &value) const
{
    std::vector<Known> found;
    if (value.starts_with('/') || selector == "path") {
        const auto path = value.starts_with('/') ? value : "/org/freedesktop/NetworkManager/Settings/" + value;
        if (g_variant_is_object_path(path.c_str()) && (selector.empty() || selector == "path"))
            found = daemon_->ask_names({path});
        if (!found.empty() || selector == "path") return found;
    }
    if ((selector.empty() || selector == "uuid") && g_uuid_string_is_valid(value.c_str()))
        if (const auto path = daemon_->path_of(value)) return {Known{value, {}, {}, {}, {}, *path}};

    for (const auto &k : all())
        if (const int fit = fits(k, selector, value)) found.insert(fit == 2 ? found.begin() : found.end(), k);
    if (selector == "uuid" && found.size() > 1) return {};
    for (auto &k : found)
        if (k.path.empty())
            if (const auto path = daemon_->path_of(k.uuid)) k.path = *path;
    std::erase_if(found, [](const Known &k) { return k.path.empty(); });
    const auto place = [&](const Known &k) { return std::find(paths_.begin(), paths_.end(), k.path); };
    if (found.size() > 1 && selector != "uuid" && found.front().uuid != value)
        std::sort(found.begin(), found.end(), [&](const Known &a, const Known &b) { return place(a) < place(b); });
    return found;
}

unsigned Profiles::namesakes(const std::string &id, const std::string &uuid) const
{
    return static_cast<unsigned>(
        std::count_if(all().begin(), all().end(), [&](const Known &k) { return k.id == id && k.uuid != uuid; }));
}

} // namespace nmib::cli
