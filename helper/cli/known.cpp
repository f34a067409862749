// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/known.hpp"

#include "probe/dir.hpp"
#include "probe/keyfile.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <unordered_set>

namespace nmib::cli
{

namespace
{
constexpr std::size_t head_limit = 65536; // a profile's first group; secrets and routes may follow
constexpr std::string_view suffix = ".nmconnection";

/// The lines of [connection], if nothing in them needs a real parser.
std::optional<Known> parse_plain(std::string_view text)
{
    Known k;
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

/// The beginning of a file; the listing already told that it is there.
std::optional<std::string> read_head(int dir, const char *name)
{
    const UniqueFd fd(openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    if (!fd) return std::nullopt;
    char buffer[head_limit];
    const auto n = read(fd.get(), buffer, sizeof buffer);
    if (n < 0) return std::nullopt;
    return std::string(buffer, static_cast<std::size_t>(n));
}
} // namespace

std::optional<Known> parse_known(std::string_view text)
{
    if (auto k = parse_plain(text)) return k;
    const auto file = Keyfile::parse(std::string(text), "");
    if (!file) return std::nullopt;
    const auto get = [&](const char *key) { return file->get("connection", key).value_or(""); };
    Known k{get("uuid"), get("id"), get("interface-name"), get("type")};
    if (k.uuid.empty() || k.id.empty() || k.type.empty()) return std::nullopt;
    return k;
}

std::vector<std::string> profile_directories()
{
    return {"/etc/NetworkManager/system-connections", "/run/NetworkManager/system-connections",
            "/usr/lib/NetworkManager/system-connections"};
}

namespace
{
using Heads = std::vector<std::optional<Known>>;

/// The profiles of `names` from `begin` to `end`, each at its place.
void read_some(const Dir &dir, const std::vector<std::string> &names, Heads &found, std::size_t begin, std::size_t end)
{
    for (auto i = begin; i < end; i++)
        if (const auto text = read_head(dir.fd(), names[i].c_str())) found[i] = parse_known(*text);
}
} // namespace

std::optional<std::vector<Known>> scan_profiles(const std::vector<std::string> &directories)
{
    constexpr std::size_t worth_a_thread = 256;
    std::vector<Known> all;
    std::unordered_set<std::string> seen;
    for (const auto &path : directories) {
        const auto dir = Dir::open(path);
        if (!dir) {
            if (dir.error().kind == Error::Kind::absent) continue;
            return std::nullopt;
        }
        auto names = dir->list(1 << 20);
        if (!names) return std::nullopt;
        std::erase_if(*names, [](const auto &n) { return n.starts_with('.') || !n.ends_with(suffix); });
        Heads found(names->size());
        const auto half = names->size() > worth_a_thread ? names->size() / 2 : names->size();
        auto rest = std::async(half < names->size() ? std::launch::async : std::launch::deferred,
                               [&] { read_some(*dir, *names, found, half, names->size()); });
        read_some(*dir, *names, found, 0, half);
        rest.get();
        for (std::size_t i = 0; i < found.size(); i++) {
            if (!found[i]) return std::nullopt;
            if (!seen.insert(found[i]->uuid).second) continue;
            found[i]->file = path + "/" + (*names)[i];
            all.push_back(std::move(*found[i]));
        }
    }
    return all;
}

} // namespace nmib::cli
