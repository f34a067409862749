// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/words.hpp"

#include "terminal/glib.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <glib.h>
#include <libintl.h>
#include <unistd.h>

namespace nmib::cli
{

const char *nm(const char *message) noexcept { return dgettext("NetworkManager", message); }
const char *_(const char *message) noexcept { return dgettext("nm-infiniband", message); }
const char *translate(const char *message) noexcept { return dgettext("nm-infiniband", message); }

std::string nm_form(const char *format, ...)
{
    std::va_list args;
    va_start(args, format);
    char *text = g_strdup_vprintf(format, args);
    va_end(args);
    std::string s = text;
    g_free(text);
    return s;
}

Failure failed(const std::string &why, int code) { return {code, form("Error: {}", why)}; }
Failure failure_of(const Error &error)
{
    return failed(error.what, error.kind == Error::Kind::absent ? exit_not_found : exit_failed);
}
Failure refused(const std::string &why) { return failed(why, exit_usage); }
Error bad(std::string what) { return {Error::Kind::invalid, std::move(what)}; }

void print(const std::string &text) { g_print("%s", text.c_str()); }
void complain(const std::string &line) { g_printerr("%s\n", line.c_str()); }
bool begins(std::string_view word, std::string_view pattern) noexcept
{
    return !word.empty() && pattern.starts_with(word);
}

bool is_option(std::string_view word, std::string_view name) noexcept
{
    if (!word.starts_with('-')) return false;
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    return begins(word, name);
}

bool is_help(std::string_view word) noexcept { return begins(word, "help") || is_option(word, "help"); }

std::string join(const Words &words, const char *between)
{
    std::string s;
    for (const auto &w : words) {
        if (&w != &words.front()) s += between;
        s += w;
    }
    return s;
}

void note(const std::string &line) { complain("nm-ib: " + line); }

bool can_ask() noexcept { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

bool agrees(const char *question)
{
    if (!can_ask()) return false;
    print(std::string(question) + " [y/N] ");
    std::fflush(stdout);
    std::array<char, 64> answer{};
    const auto n = ::read(STDIN_FILENO, answer.data(), answer.size());
    const auto word = trim(std::string_view(answer.data(), n > 0 ? static_cast<std::size_t>(n) : 0));
    return word == "y" || word == "Y" || word == "yes" || word == _("yes");
}

} // namespace nmib::cli
