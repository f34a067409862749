// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/words.hpp"

#include "cli/base/version.hpp"

#include <cerrno>
#include <cstdarg>
#include <glib.h>
#include <libintl.h>

namespace nmib::cli
{

namespace
{
constexpr std::string_view blanks = " \t\n\r\f";
bool blank(char c) noexcept { return blanks.find(c) != std::string_view::npos; }

std::int64_t parse(const char *text, char **end, unsigned base, std::int64_t) noexcept
{
    return g_ascii_strtoll(text, end, base);
}
std::uint64_t parse(const char *text, char **end, unsigned base, std::uint64_t) noexcept
{
    return g_ascii_strtoull(text, end, base);
}
} // namespace

const char *nm(const char *message) noexcept { return dgettext("NetworkManager", message); }
const char *_(const char *message) noexcept { return dgettext("nm-infiniband", message); }
const char *translate(const char *message) noexcept { return dgettext("nm-infiniband", message); }

std::string form(const char *format, ...)
{
    std::va_list args;
    va_start(args, format);
    char *text = g_strdup_vprintf(format, args);
    va_end(args);
    std::string s = text;
    g_free(text);
    return s;
}

Error bad(std::string what) { return {Error::Kind::invalid, std::move(what)}; }

void print(const std::string &text) { g_print("%s", text.c_str()); }
void complain(const std::string &line) { g_printerr("%s\n", line.c_str()); }
void say(const std::string &line) { (has_version(54) ? g_printerr : g_print)("%s", line.c_str()); }

bool begins(std::string_view word, std::string_view pattern) noexcept
{
    return !word.empty() && pattern.starts_with(word);
}

Result<const char *> choose(const std::string &word, Choices choices)
{
    Words fitting, all;
    const char *first = nullptr;
    for (const auto *c : choices) {
        all.emplace_back(c);
        if (word.empty() || g_ascii_strncasecmp(word.c_str(), c, word.size()) != 0) continue;
        if (word.size() == all.back().size()) return c;
        if (!first) first = c;
        fitting.emplace_back(c);
    }
    if (fitting.size() == 1) return first;
    if (!fitting.empty()) {
        auto e = bad(form(nm("'%s' is ambiguous: %s"), word.c_str(), join(fitting, ", ").c_str()));
        e.kind = Error::Kind::refused;
        return e;
    }
    if (word.empty()) return bad(form(nm("missing name, try one of [%s]"), join(all, ", ").c_str()));
    return bad(form(nm("'%s' not among [%s]"), word.c_str(), join(all, ", ").c_str()));
}

bool is_option(std::string_view word, std::string_view name) noexcept
{
    if (!word.starts_with('-')) return false;
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    return begins(word, name);
}

bool is_help(std::string_view word) noexcept { return begins(word, "help") || is_option(word, "help"); }

std::string strip(std::string_view text)
{
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return std::string(text);
}

namespace
{
constexpr const char *const yes[] = {"true", "yes", "on"};
constexpr const char *const no[] = {"false", "no", "off"};
constexpr const char *const unset[] = {"unknown", "default", "ignore"};

std::optional<Ternary> ternary(const std::string &word, Choices unknown, std::int64_t min)
{
    if (choose(word, yes)) return Ternary::on;
    if (choose(word, no)) return Ternary::off;
    if (choose(word, unknown)) return Ternary::unknown;
    if (const auto n = to_number<std::int64_t>(word, 0, min, 1)) return static_cast<Ternary>(*n);
    return std::nullopt;
}
} // namespace

Result<bool> to_bool(const std::string &text)
{
    const auto word = strip(text);
    if (word == "o") return bad(form(nm("'%s' is ambiguous (%s)"), word.c_str(), "on, off"));
    if (const auto t = ternary(word, {}, 0)) return *t == Ternary::on;
    return bad(form(nm("'%s' is not valid; use [%s] or [%s]"), word.c_str(), "true, yes, on", "false, no, off"));
}

Result<Ternary> to_ternary(const std::string &text, bool ignore)
{
    const auto word = strip(text);
    if (word == "o") return bad(form(nm("'%s' is ambiguous (%s)"), word.c_str(), "on, off"));
    if (const auto t = ternary(word, Choices(unset, ignore ? 3 : 2), -1)) return *t;
    return bad(form(nm("'%s' is not valid; use [%s], [%s] or [%s]"), word.c_str(), "true, yes, on", "false, no, off",
                    "unknown"));
}

template<class Int> Result<Int> to_number(const std::string &text, unsigned base, Int min, Int max)
{
    const Error no_number{Error::Kind::invalid, text}, out_of_range{Error::Kind::refused, text};
    const auto word = strip(text);
    if (word.empty()) return no_number;
    char *end = nullptr;
    errno = 0;
    const auto value = parse(word.c_str(), &end, base, Int{});
    if (errno == ERANGE) return out_of_range;
    if (errno != 0 || *end != '\0') return no_number;
    if (value < min || value > max) return out_of_range;
    if (min == 0 && value != 0 && word[0] == '-') return out_of_range;
    return value;
}
template Result<std::int64_t> to_number(const std::string &, unsigned, std::int64_t, std::int64_t);
template Result<std::uint64_t> to_number(const std::string &, unsigned, std::uint64_t, std::uint64_t);

Words cut(std::string_view text, const char *separators)
{
    Words parts;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(separators), text.size());
        if (end > 0) parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

Words split(std::string_view text, const char *separators)
{
    auto parts = cut(text, separators);
    for (auto &part : parts) part = strip(part);
    std::erase(parts, "");
    return parts;
}

Words split_escaped(std::string_view text, std::string_view separators)
{
    Words parts;
    std::string part;
    std::size_t keep = 0; // white space before here was escaped, or is followed by something
    const auto end_part = [&] {
        while (part.size() > keep && blank(part.back())) part.pop_back();
        if (!part.empty()) parts.push_back(std::move(part));
        part.clear();
        keep = 0;
    };
    for (std::size_t i = 0; i < text.size(); i++) {
        const char c = text[i];
        if (c == '\\' && i + 1 < text.size()) {
            const char next = text[++i];
            if (next != '\\' && !blank(next) && separators.find(next) == std::string_view::npos) part += c;
            part += next;
            keep = part.size();
        } else if (separators.find(c) != std::string_view::npos) {
            end_part();
        } else if (!(part.empty() && blank(c))) {
            part += c;
        }
    }
    end_part();
    return parts;
}

std::string join(const Words &words, const char *between)
{
    std::string s;
    for (const auto &w : words) {
        if (&w != &words.front()) s += between;
        s += w;
    }
    return s;
}

} // namespace nmib::cli
