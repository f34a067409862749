// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/profiles.hpp"

#include "cli/daemon/keyfiles.hpp"
#include "config.h"

#include <algorithm>

namespace nmib::cli
{

namespace
{
/// How well a profile fits: 2 by its UUID, 1 otherwise.
int fits(const Name &n, std::string_view selector, std::string_view value)
{
    const bool any = selector.empty();
    if (any || selector == "uuid") {
        if (n.uuid == value) return 2;
        if (!any && !value.empty() && n.uuid.starts_with(value)) return 1;
    }
    if ((any || selector == "id") && n.id == value) return 1;
    return (any || selector == "filename") && n.is_file(value);
}
} // namespace

const Names &Profiles::names(const std::string &likely) const
{
    if (names_) return *names_;
    // The daemon answers while the files are read, and the last while the paths are.
    const auto uuid = guess_uuid(profile_directories(), likely);
    const auto asked = uuid ? daemon_->ask_path(*uuid) : Bus::Ticket{};
    const auto listed = daemon_->ask_profiles();
    auto scanned = scan_names();
    if (const auto path = uuid ? daemon_->path_in(asked) : Result<std::string>(bad(""))) {
        likely_uuid_ = *uuid;
        likely_path_ = *path;
        daemon_->expect_profile(*path);
    }
    settle(std::move(scanned), daemon_->profiles(listed));
    return *names_;
}

void Profiles::settle(std::optional<Names> scanned, Result<Bus::Paths> listed) const
{
    if (listed) paths_ = std::move(*listed);
    names_ = std::move(scanned);
    if (names_ && names_->size() == paths_.all.size()) return;
    ask(); // files that are not loaded, or profiles that are no files
}

void Profiles::ask() const
{
    asked_ = true;
    names_.emplace();
    const Words paths(paths_.all.begin(), paths_.all.end());
    for (const auto &k : daemon_->ask_names(paths)) names_->add({k.uuid, k.id, k.interface, k.type, k.path});
}

Result<std::string> Profiles::add(NMConnection *connection, bool save) const
{
    if (names_) return daemon_->added(daemon_->ask_to_add(connection, save));
    daemon_->listen_for_profiles();
    const auto added = daemon_->ask_to_add(connection, save);
    auto scanned = scan_names(); // in which it may be already, or not yet
    auto path = daemon_->added(added);
    if (!path) return path;
    if (scanned) scanned->drop(nm_connection_get_uuid(connection));
    auto listed = daemon_->profiles_after_adding();
    if (listed) std::erase(listed->all, *path);
    settle(std::move(scanned), std::move(listed));
    return path;
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

    (void)names(value);
    if (asked_ && (selector == "filename" || (selector.empty() && value.starts_with('/')))) {
        const Words paths(paths_.all.begin(), paths_.all.end()), files = daemon_->ask_files(paths);
        for (std::size_t i = 0; i < paths.size(); i++)
            if (files[i] == value) found.push_back(Known{{}, {}, {}, {}, {}, paths[i]});
        if (!found.empty() || selector == "filename") return found;
    }
    for (const auto &n : names())
        if (const int fit = fits(n, selector, value)) found.insert(fit == 2 ? found.begin() : found.end(), n.known());
    if (selector == "uuid" && found.size() > 1) return {};
    for (auto &k : found) {
        if (k.path.empty() && k.uuid == likely_uuid_) k.path = likely_path_;
        if (!k.path.empty()) continue;
        if (const auto path = daemon_->path_of(k.uuid)) k.path = *path;
    }
    std::erase_if(found, [](const Known &k) { return k.path.empty(); });
    if (found.empty() && !asked_) { // a file may have been edited and not loaded
        ask();
        return find(selector, value);
    }
    if (found.size() > 1 && selector != "uuid" && found.front().uuid != value) {
        const auto place = [&](const Known &k) { return std::find(paths_.all.begin(), paths_.all.end(), k.path); };
        std::sort(found.begin(), found.end(), [&](const Known &a, const Known &b) { return place(a) < place(b); });
    }
    return found;
}

bool is_renamed(const Known &known, NMConnection *connection)
{
    return !known.id.empty() && known.id != nm_connection_get_id(connection);
}

unsigned Profiles::namesakes(const std::string &id, const std::string &uuid) const
{
    return static_cast<unsigned>(
        std::count_if(names().begin(), names().end(), [&](const Name &n) { return n.id == id && n.uuid != uuid; }));
}

} // namespace nmib::cli
