// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/keyfile.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <glib.h>

namespace nmib
{

namespace
{
std::vector<std::string> collect(gchar **list)
{
    g_auto(GStrv) owned = list;
    std::vector<std::string> names;
    for (gchar **p = owned; p && *p; p++) names.emplace_back(*p);
    return names;
}
} // namespace

void Keyfile::Free::operator()(_GKeyFile *k) const noexcept { g_key_file_unref(k); }

Result<Keyfile> Keyfile::parse(const std::string &text, const std::string &name)
{
    if (text.find('\0') != std::string::npos) return Error{Error::Kind::invalid, name + ": holds a NUL byte"};
    Keyfile k(g_key_file_new());
    g_autoptr(GError) error = nullptr;
    if (text.empty()) return k; // GKeyFile calls an empty file an error
    if (!g_key_file_load_from_data(k.kf_.get(), text.data(), text.size(), G_KEY_FILE_NONE, &error))
        return Error{Error::Kind::invalid, printable(name + ": " + error->message)};
    return k;
}

std::vector<std::string> Keyfile::groups() const { return collect(g_key_file_get_groups(kf_.get(), nullptr)); }

std::vector<std::string> Keyfile::keys(const std::string &group) const
{
    return collect(g_key_file_get_keys(kf_.get(), group.c_str(), nullptr, nullptr));
}

std::optional<std::string> Keyfile::repeated_key(const std::string &group) const
{
    auto all = keys(group);
    std::sort(all.begin(), all.end());
    const auto it = std::adjacent_find(all.begin(), all.end());
    return it == all.end() ? std::nullopt : std::optional(*it);
}

std::optional<std::string> Keyfile::get(const std::string &group, const std::string &key) const
{
    g_autoptr(GError) error = nullptr; // an invalid escape sets both error and text
    g_autofree gchar *text = g_key_file_get_string(kf_.get(), group.c_str(), key.c_str(), &error);
    return !error && text ? std::optional<std::string>(text) : std::nullopt;
}

void Keyfile::set(const std::string &group, const std::string &key, const std::string &text)
{
    g_key_file_set_string(kf_.get(), group.c_str(), key.c_str(), text.c_str());
}

std::optional<bool> Keyfile::boolean(std::string text)
{
    text = std::string(trim(text));
    for (auto &c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (text == "true" || text == "yes" || text == "1" || text == "on") return true;
    if (text == "false" || text == "no" || text == "0" || text == "off") return false;
    return std::nullopt;
}

std::vector<std::string> Keyfile::list(const std::string &text)
{
    std::vector<std::string> parts;
    std::string_view rest = text;
    while (!rest.empty()) parts.emplace_back(trim(take(rest, ';')));
    return parts;
}

std::vector<KeyfileLine> keyfile_lines(const std::string &text, const std::string &name, std::vector<Error> &errors)
{
    constexpr std::size_t most_shown = 80; // characters of a wrong line
    std::vector<KeyfileLine> lines;
    std::string group;
    bool in_group = false, told = false;
    unsigned number = 0;
    const auto wrong = [&](const std::string &what) {
        errors.push_back({Error::Kind::invalid, printable(name + ":" + std::to_string(number) + ": " + what)});
    };
    for (std::string_view rest = text; !rest.empty();) {
        const std::string line(take(rest, '\n'));
        number++;
        const auto shown = trim(line).substr(0, most_shown);
        if (shown.empty() || shown.starts_with('#')) continue;
        // GKeyFile decides what a line is.
        const bool is_group = shown.starts_with('[');
        const auto one = Keyfile::parse((is_group ? "" : "[x]\n") + line + "\n", name);
        const auto groups = one ? one->groups() : std::vector<std::string>{};
        const auto keys = groups.empty() ? groups : one->keys(groups.front());
        if (is_group) {
            in_group = !groups.empty(), told = !in_group;
            group = in_group ? groups.front() : "";
            if (in_group) lines.push_back({number, group, "", ""});
            if (!in_group)
                wrong("'" + std::string(shown) +
                      "' is not the line of a group, ignoring the lines up to the next group");
        } else if (in_group) {
            const bool is_assignment = !keys.empty();
            lines.push_back({number, group, is_assignment ? keys.front() : std::string(shown),
                             is_assignment ? one->get(groups.front(), keys.front()) : std::nullopt});
        } else if (!told) {
            told = true;
            wrong("no group comes before the line, ignoring the lines up to the first group");
        }
    }
    return lines;
}

} // namespace nmib
