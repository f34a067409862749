// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/known.hpp"

#include "cli/nameindex.hpp"
#include "probe/dir.hpp"
#include "probe/keyfile.hpp"

#include "config.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <span>
#include <unistd.h>
#include <unordered_set>

namespace nmib::cli
{

namespace
{
constexpr std::size_t head_limit = 65536; // a profile's first group; secrets and routes may follow
constexpr std::string_view suffix = ".nmconnection";

/// The lines of [connection], if nothing in them needs a real parser.
std::optional<Names::Name> parse_plain(std::string_view text)
{
    Names::Name k;
    bool inside = false;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with('[')) {
            if (inside) break;
            inside = line == "[connection]";
        }
        if (!inside || line.starts_with('[') || line.starts_with('#') || line.empty()) continue;
        const auto equals = line.find('=');
        if (line.find('\\') != std::string_view::npos || equals == std::string_view::npos) return std::nullopt;
        const auto key = line.substr(0, equals), value = line.substr(equals + 1);
        if (key.empty() || key.back() == ' ' || value.starts_with(' ')) return std::nullopt;
        if (key == "id") k.id = value;
        if (key == "uuid") k.uuid = value;
        if (key == "type") k.type = value;
        if (key == "interface-name") k.interface = value;
    }
    if (k.uuid.empty() || k.id.empty() || k.type.empty()) return std::nullopt;
    return k;
}

using Listing = std::unique_ptr<DIR, decltype([](DIR *d) { closedir(d); })>;

/// The beginning of a file; the listing already told that it is there.
std::optional<std::string_view> read_head(int dir, const char *name, std::span<char> buffer)
{
    const UniqueFd fd(openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    const auto n = fd ? read(fd.get(), buffer.data(), buffer.size()) : -1;
    if (n < 0) return std::nullopt;
    return std::string_view(buffer.data(), static_cast<std::size_t>(n));
}

/// False when something in it cannot be read. `opened` counts what the index did not know.
bool scan_directory(const std::string &path, NameIndex &index, Names &names, std::size_t &opened)
{
    const Listing listing(opendir(path.c_str()));
    if (!listing) return errno == ENOENT;
    char buffer[head_limit];
    const int dir = dirfd(listing.get());
    errno = 0;
    while (const auto *entry = readdir(listing.get())) {
        const std::string_view name = entry->d_name;
        if (name.starts_with('.') || !name.ends_with(suffix)) continue;
        struct stat st {
        };
        if (fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) return false;
        if (auto known = index.find(stamp(st))) {
            known->directory = path;
            known->file = name;
            names.add(*known);
            continue;
        }
        opened++;
        const auto text = read_head(dir, entry->d_name, buffer);
        if (!text || !names.add_keyfile(*text, path, name)) return false;
        errno = 0;
    }
    return errno == 0;
}
} // namespace

bool Names::Name::is_file(std::string_view whole) const noexcept
{
    return !file.empty() && whole.size() == directory.size() + 1 + file.size() && whole.starts_with(directory) &&
           whole.ends_with(file) && whole[directory.size()] == '/';
}

Known Names::Name::known() const
{
    Known k{std::string(uuid), std::string(id), std::string(interface), std::string(type)};
    if (!file.empty()) k.file = std::string(directory) + "/" + std::string(file);
    k.path = path;
    return k;
}

std::string_view Names::keep(std::string_view text)
{
    if (text.empty()) return {};
    auto *kept = static_cast<char *>(texts_->allocate(text.size(), 1));
    text.copy(kept, text.size());
    return {kept, text.size()};
}

void Names::add(const Name &n)
{
    const bool same = !all_.empty() && all_.back().directory == n.directory;
    all_.push_back({keep(n.uuid), keep(n.id), keep(n.interface), keep(n.type),
                    same ? all_.back().directory : keep(n.directory), keep(n.file), keep(n.path)});
}

bool Names::add_keyfile(std::string_view text, std::string_view directory, std::string_view file)
{
    if (auto plain = parse_plain(text)) {
        plain->directory = directory;
        plain->file = file;
        add(*plain);
        return true;
    }
    const auto whole = Keyfile::parse(std::string(text), "");
    if (!whole) return false;
    const auto get = [&](const char *key) { return whole->get("connection", key).value_or(""); };
    const auto uuid = get("uuid"), id = get("id"), interface = get("interface-name"), type = get("type");
    if (uuid.empty() || id.empty() || type.empty()) return false;
    add({uuid, id, interface, type, directory, file});
    return true;
}

void Names::drop(std::string_view uuid)
{
    std::erase_if(all_, [&](const Name &n) { return n.uuid == uuid; });
}

void Names::drop_hidden(std::size_t first)
{
    if (first == 0 || first == all_.size()) return;
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < first; i++) seen.insert(all_[i].uuid);
    all_.erase(std::remove_if(all_.begin() + static_cast<std::ptrdiff_t>(first), all_.end(),
                              [&](const Name &n) { return seen.contains(n.uuid); }),
               all_.end());
}

std::vector<std::string> profile_directories()
{
    return {"/run/NetworkManager/system-connections", "/etc/NetworkManager/system-connections",
            "/usr/lib/NetworkManager/system-connections"};
}

std::optional<Names> scan_names(const std::vector<std::string> &directories, const std::string &state)
{
    Names names;
    NameIndex index(state);
    std::size_t opened = 0;
    const auto began = std::time(nullptr);
    for (const auto &path : directories) {
        const auto before = names.size();
        if (!scan_directory(path, index, names, opened)) return std::nullopt;
        names.drop_hidden(before);
    }
    // To open a few is quicker than to write down all.
    if (opened > 32 + names.size() / 16) (void)keep_names(state, names, began);
    return names;
}

std::optional<Names> scan_names(const std::vector<std::string> &directories)
{
    return scan_names(directories, NMIB_STATE);
}

std::optional<std::string> guess_uuid(const std::vector<std::string> &directories, const std::string &id)
{
    if (id.empty() || id.find('/') != std::string::npos) return std::nullopt;
    char buffer[head_limit];
    for (const auto &path : directories) {
        const auto file = id + std::string(suffix);
        const auto text = read_head(AT_FDCWD, (path + "/" + file).c_str(), buffer);
        Names one;
        if (text && one.add_keyfile(*text, path, file) && one.begin()->id == id) return std::string(one.begin()->uuid);
    }
    return std::nullopt;
}

std::optional<std::vector<Known>> scan_profiles(const std::vector<std::string> &directories)
{
    const auto names = scan_names(directories);
    if (!names) return std::nullopt;
    std::vector<Known> all;
    for (const auto &n : *names) all.push_back(n.known());
    std::sort(all.begin(), all.end(), [](const Known &a, const Known &b) { return a.file < b.file; });
    return all;
}

} // namespace nmib::cli
