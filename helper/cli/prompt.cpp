// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/prompt.hpp"

#include "cli/base/version.hpp"
#include "cli/signals.hpp"
#include "config.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

namespace nmib::cli
{

namespace
{
/// Loaded with the first question, if it is installed.
struct Readline {
    bool there = true;
    void *library = dlopen(NMIB_READLINE, RTLD_NOW | RTLD_LOCAL); // and kept
    decltype(::rl_callback_handler_install) *install = find("rl_callback_handler_install");
    decltype(::rl_callback_handler_remove) *remove = find("rl_callback_handler_remove");
    decltype(::rl_callback_read_char) *read_char = find("rl_callback_read_char");
    decltype(::rl_echo_signal_char) *echo_signal = find("rl_echo_signal_char");
    decltype(::rl_stuff_char) *stuff = find("rl_stuff_char");
    decltype(::add_history) *remember = find("add_history");
    decltype(::rl_free_line_state) *forget_line = find("rl_free_line_state");
    decltype(::rl_cleanup_after_signal) *clean_up = find("rl_cleanup_after_signal");
    int *catch_signals = find("rl_catch_signals");
    int *completed = find("rl_attempted_completion_over");
    rl_completion_func_t **complete = find("rl_attempted_completion_function");

private:
    struct Symbol {
        void *address;
        template<class T> operator T *() const { return reinterpret_cast<T *>(address); } // NOLINT: that is its use
    };
    Symbol find(const char *name)
    {
        auto *address = library ? dlsym(library, name) : nullptr;
        there = there && address;
        return {address};
    }
};

const Readline &readline()
{
    static const auto loaded = [] {
        const Readline r;
        if (!r.there) return r;
        *r.catch_signals = 0;
        *r.complete = [](const char *, int, int) -> char ** {
            *readline().completed = 1; // files are no answer
            return nullptr;
        };
        return r;
    }();
    return loaded;
}

/// The line readline hands over, null at the end of input.
struct Typed {
    bool done = false;
    std::unique_ptr<char, decltype([](char *p) { std::free(p); })> line;
} typed;

/// Gives the terminal back.
void clean_up(const Readline &rl)
{
    rl.forget_line();
    rl.clean_up();
}

bool asked = false;

/// As nmcli: an interrupt throws away what was typed, and where nothing was, ends it all.
std::optional<std::string> read_typed(const Readline &rl, const std::string &prompt)
{
    for (;;) {
        typed = {};
        rl.install(prompt.c_str(), [](char *line) {
            typed.done = true;
            typed.line.reset(line);
            readline().remove();
        });
        auto woken = Woken::input;
        while (!typed.done && woken == Woken::input) {
            woken = wait_for_input(STDIN_FILENO);
            if (woken == Woken::input) rl.read_char();
        }
        if (woken == Woken::interrupt) {
            rl.echo_signal(SIGINT);
            rl.stuff('\n');
            rl.read_char();
        }
        const auto line = typed.line ? std::string(typed.line.get()) : "";
        if (!line.empty()) rl.remember(line.c_str());
        if (woken == Woken::input && typed.line) return line;
        if (woken == Woken::interrupt && !line.empty()) continue;
        clean_up(rl);
        return std::nullopt;
    }
}

std::optional<std::string> read_plainly()
{
    std::string line;
    for (;;) {
        if (wait_for_input(STDIN_FILENO) != Woken::input) return std::nullopt;
        char c = '\n';
        const bool more = read(STDIN_FILENO, &c, 1) == 1;
        if (!more && line.empty()) return std::nullopt;
        if (c == '\n') return line;
        line += c;
    }
}
} // namespace

std::optional<std::string> read_line(const std::string &prompt)
{
    const auto &rl = readline();
    asked = true;
    if (!rl.there) std::fputs(prompt.c_str(), stdout);
    std::fflush(stdout);
    return rl.there ? read_typed(rl, prompt) : read_plainly();
}

void end_reading()
{
    if (asked && readline().there && has_version(50)) clean_up(readline());
}

} // namespace nmib::cli
