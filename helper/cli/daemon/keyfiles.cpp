// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/keyfiles.hpp"

#include "cli/base/gobject.hpp"
#include "core/result.hpp"
#include "probe/keyfile.hpp"
#include "probe/unique_fd.hpp"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <iterator>
#include <limits>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>

namespace nmib::cli
{

namespace
{
constexpr std::string_view suffix = ".nmconnection";

/// The type as D-Bus has it; keyfiles have names of their own for some (nm-keyfile-utils.c).
std::string type_of(const std::string &word)
{
    return word == "ethernet" ? "802-3-ethernet" : word == "wifi" ? "802-11-wireless" : word;
}

/// As NetworkManager has it, in small letters; empty if it is none.
std::string uuid_of(const std::string &word)
{
    return g_uuid_string_is_valid(word.c_str()) ? Text(g_ascii_strdown(word.c_str(), -1)).get() : "";
}

/// NetworkManager follows links, and loads no file that is not root's alone (nms-keyfile-utils.c).
bool would_be_loaded(const struct stat &st) { return S_ISREG(st.st_mode) && st.st_uid == 0 && (st.st_mode & 077) == 0; }

/// The lines of [connection]; the rest of the file is not needed, and takes as long to parse. Nothing when they are not
/// all in `text`, which is the whole file or its beginning, or where they may go on below.
std::optional<std::string> connection_group(std::string_view text, bool whole)
{
    constexpr std::string_view header = "[connection]\n", next = "\n[";
    const auto begin = text.find(header);
    if (begin == text.npos || text.find(header, begin + 1) != text.npos || text.find('\0') != text.npos)
        return std::nullopt;
    const auto end = text.find(next, begin);
    if (end == text.npos && !whole) return std::nullopt;
    return std::string(text.substr(begin, end == text.npos ? end : end - begin));
}

/// Does every value stand there as it is meant? Else GKeyFile has to read it, which takes five times as long.
bool is_plain(std::string_view group)
{
    constexpr const char *odd[] = {"\\", "\r", "\t", " =", "= ", "\n ", " \n"};
    return std::none_of(std::begin(odd), std::end(odd), [&](const char *o) { return group.find(o) != group.npos; }) &&
           g_utf8_validate_len(group.data(), group.size(), nullptr);
}

/// The last counts, as for GKeyFile.
std::string plain_value(std::string_view group, const std::string &key)
{
    const auto begin = "\n" + key + "=";
    auto at = group.find(begin);
    for (auto next = at; next != group.npos; next = group.find(begin, at + 1)) at = next;
    if (at == group.npos) return {};
    const auto value = group.substr(at + begin.size());
    return std::string(value.substr(0, value.find('\n')));
}

/// NetworkManager names a profile without a name after its file.
std::optional<ProfileRef> ref_from(const std::string &group, std::string_view file)
{
    const bool plain = is_plain(group);
    const auto keyfile = plain ? Result<Keyfile>(Error{}) : Keyfile::parse(group, "");
    if (!plain && !keyfile) return std::nullopt;
    const auto get = [&](const char *key) {
        return plain ? plain_value(group, key) : keyfile->get("connection", key).value_or("");
    };
    ProfileRef ref{uuid_of(get("uuid")), get("id"), get("interface-name"), type_of(get("type"))};
    if (ref.uuid.empty() || ref.type.empty()) return std::nullopt;
    if (ref.id.empty()) ref.id = file.substr(0, file.size() - (file.ends_with(suffix) ? suffix.size() : 0));
    return ref;
}

using Listing = std::unique_ptr<DIR, decltype([](DIR *d) { closedir(d); })>;

/// False when something in it cannot be read.
bool scan_directory(const std::string &directory, std::vector<ProfileRef> &refs)
{
    const Listing listing(opendir(directory.c_str()));
    if (!listing) return errno == ENOENT;
    char buffer[65536];
    for (errno = 0; const auto *entry = readdir(listing.get()); errno = 0) {
        const std::string_view file = entry->d_name;
        if (!is_keyfile_name(directory, file)) continue;
        const UniqueFd fd(openat(dirfd(listing.get()), entry->d_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        if (!fd && (errno == ENOENT || errno == ELOOP)) continue; // a link to nowhere, or a file that is gone
        const auto n = fd ? read(fd.get(), buffer, sizeof buffer) : -1;
        struct stat st {
        };
        if (!fd || fstat(fd.get(), &st) != 0) return false;
        if (!would_be_loaded(st)) continue;
        if (n < 0) return false;
        const auto text = std::string_view(buffer, static_cast<std::size_t>(n));
        const auto group = connection_group(text, text.size() < sizeof buffer);
        auto ref = group ? ref_from(*group, file) : std::nullopt;
        if (!ref) return false;
        ref->file = directory + "/" + entry->d_name;
        ref->changed = entry->d_type == DT_REG ? st.st_ctim.tv_sec : std::numeric_limits<std::time_t>::max();
        refs.push_back(std::move(*ref));
    }
    return errno == 0;
}
} // namespace

std::vector<std::string> profile_directories()
{
    return {"/run/NetworkManager/system-connections", "/etc/NetworkManager/system-connections",
            "/usr/lib/NetworkManager/system-connections"};
}

bool is_keyfile_name(const std::string &directory, std::string_view name)
{
    if (name.empty() || name.front() == '.') return false;
    if (!directory.starts_with("/etc/")) return name.size() > suffix.size() && name.ends_with(suffix);
    const auto ending = name.substr(std::min(name.rfind('.'), name.size()));
    const bool temporary =
        ending.size() == 7 && std::all_of(ending.begin() + 1, ending.end(), [](char c) { return g_ascii_isalnum(c); });
    const auto is = [&](const char *other) { return g_ascii_strcasecmp(std::string(ending).c_str(), other) == 0; };
    return name.back() != '~' && !temporary && !(name.size() > 4 && (is(".pem") || is(".der")));
}

std::optional<std::vector<ProfileRef>> scan_keyfiles(const std::vector<std::string> &directories)
{
    std::vector<ProfileRef> refs;
    std::unordered_set<std::string> seen;
    for (const auto &directory : directories) {
        std::vector<ProfileRef> here;
        if (!scan_directory(directory, here)) return std::nullopt;
        std::erase_if(here, [&](const ProfileRef &r) { return seen.contains(r.uuid); });
        for (const auto &ref : here) seen.insert(ref.uuid);
        std::move(here.begin(), here.end(), std::back_inserter(refs));
    }
    return refs;
}

std::optional<std::vector<ProfileRef>> scan_keyfiles() { return scan_keyfiles(profile_directories()); }

} // namespace nmib::cli
