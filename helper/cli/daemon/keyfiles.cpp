// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/keyfiles.hpp"

#include "cli/base/words.hpp"
#include "probe/dir.hpp"
#include "probe/keyfile.hpp"

#include "config.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <span>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr std::size_t head_limit = 65536; // a profile's first group; secrets and routes may follow
constexpr std::string_view suffix = ".nmconnection";

/// The type as D-Bus has it; keyfiles have names of their own for some (nm-keyfile-utils.c).
std::string_view type_of(std::string_view word)
{
    return word == "ethernet" ? "802-3-ethernet" : word == "wifi" ? "802-11-wireless" : word;
}

/// The lines of [connection], if nothing in them needs a real parser.
std::optional<Name> parse_plain(std::string_view text)
{
    Name k;
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
        if (key == "type") k.type = type_of(value);
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

/// The [connection] group of one keyfile. Nothing when it has no uuid, id or type of its own, so that only the daemon
/// knows it. Valid as long as `text` and `whole`.
std::optional<Name> parse_names(std::string_view text, Words &whole)
{
    if (auto plain = parse_plain(text)) return plain;
    const auto file = Keyfile::parse(std::string(text), "");
    if (!file) return std::nullopt;
    whole.clear();
    for (const char *key : {"uuid", "id", "interface-name", "type"})
        whole.push_back(file->get("connection", key).value_or(""));
    if (whole[0].empty() || whole[1].empty() || whole[3].empty()) return std::nullopt;
    return Name{whole[0], whole[1], whole[2], type_of(whole[3])};
}

/// False when something in it cannot be read. `news` counts what the index could know and did not.
bool scan_directory(const std::string &path, NameIndex &index, Names &names, std::size_t &news)
{
    const Listing listing(opendir(path.c_str()));
    if (!listing) return errno == ENOENT;
    char buffer[head_limit];
    Words whole;
    const int dir = dirfd(listing.get());
    names.enter(path);
    errno = 0;
    while (const auto *entry = readdir(listing.get())) {
        const std::string_view file = entry->d_name;
        if (file.starts_with('.') || !file.ends_with(suffix)) continue;
        struct stat st {
        };
        if (fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) return false;
        if (const auto known = index.find(stamp(st), file)) {
            names.add(*known);
            continue;
        }
        news += index.keeps(stamp(st));
        const auto text = read_head(dir, entry->d_name, buffer);
        auto name = text ? parse_names(*text, whole) : std::nullopt;
        if (!name) return false;
        name->place = file;
        names.add(*name, stamp(st));
        errno = 0;
    }
    return errno == 0;
}
} // namespace

std::vector<std::string> profile_directories()
{
    return {"/run/NetworkManager/system-connections", "/etc/NetworkManager/system-connections",
            "/usr/lib/NetworkManager/system-connections"};
}

std::optional<Names> scan_names(const std::vector<std::string> &directories, NameIndex index)
{
    Names names(index.kept());
    names.expect(index.most());
    std::size_t news = 0;
    for (const auto &path : directories) {
        const auto before = names.size();
        if (!scan_directory(path, index, names, news)) return std::nullopt;
        names.drop_hidden(before);
    }
    // To open a file takes each command as long as it takes once to write down what twenty say.
    if (news > 24 + names.size() / 128) (void)index.keep(names);
    return names;
}

std::optional<std::string> guess_uuid(const std::vector<std::string> &directories, const std::string &id)
{
    if (id.empty() || id.find('/') != std::string::npos) return std::nullopt;
    char buffer[head_limit];
    for (const auto &path : directories) {
        const auto file = id + std::string(suffix);
        const auto text = read_head(AT_FDCWD, (path + "/" + file).c_str(), buffer);
        Words whole;
        const auto name = text ? parse_names(*text, whole) : std::nullopt;
        if (name && name->id == id) return std::string(name->uuid);
    }
    return std::nullopt;
}

std::optional<Names> scan_names() { return scan_names(profile_directories(), NameIndex(NMIB_STATE)); }

} // namespace nmib::cli
