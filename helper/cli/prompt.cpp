// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/prompt.hpp"

#include "config.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>

#include <readline/readline.h>

namespace nmib::cli
{

namespace
{
/// Sets the library up; null where it is not installed.
decltype(&::readline) load()
{
    void *library = dlopen(NMIB_READLINE, RTLD_NOW | RTLD_LOCAL); // and keeps it
    const auto find = [&]<class T>(T *&what, const char *name) {
        what = library ? reinterpret_cast<T *>(dlsym(library, name)) : nullptr;
        return what != nullptr;
    };
    decltype(::readline) *read = nullptr;
    rl_completion_func_t **complete = nullptr;
    int *catch_signals = nullptr;
    static int *completed;
    if (!find(read, "readline") || !find(complete, "rl_attempted_completion_function") ||
        !find(catch_signals, "rl_catch_signals") || !find(completed, "rl_attempted_completion_over"))
        return nullptr;
    *catch_signals = 0;
    *complete = [](const char *, int, int) -> char ** {
        *completed = 1; // files are no answer
        return nullptr;
    };
    return read;
}
} // namespace

std::optional<std::string> read_line(const std::string &prompt)
{
    static const auto readline = load();
    if (!readline) std::fputs(prompt.c_str(), stdout);
    std::fflush(stdout);
    char *line = nullptr;
    std::size_t size = 0;
    if (readline)
        line = readline(prompt.c_str());
    else if (getline(&line, &size, stdin) >= 0)
        line[std::strcspn(line, "\n")] = '\0';
    const std::unique_ptr<char, decltype([](char *p) { std::free(p); })> owner(line);
    if (!line) return std::nullopt;
    return std::string(line);
}

} // namespace nmib::cli
