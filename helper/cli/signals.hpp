// SPDX-License-Identifier: LGPL-2.1-or-later
/// SIGINT and SIGTERM end a command as they end nmcli: where it waits, with its words and its status
/// (src/nmcli/nmcli.c).
#pragma once

#include <array>
#include <chrono>
#include <csignal>

namespace nmib::cli
{

enum class Woken { input, timeout, interrupt, termination };

constexpr std::chrono::milliseconds endless{-1};

/// Waits until there is something to read, or the end of it. From the first wait on, signals come in waits only.
Woken wait_for_input(int fd, std::chrono::milliseconds timeout = endless);
/// What an interrupt or a termination means to a command.
[[noreturn]] void end_by(Woken signal);
/// While it lives, nobody ends or stops this process from a keyboard, by hanging up, or with SIGTERM: for work that is
/// not to be left half done.
class Unstoppable
{
public:
    Unstoppable();
    Unstoppable(const Unstoppable &) = delete;
    Unstoppable &operator=(const Unstoppable &) = delete;
    ~Unstoppable();

private:
    static constexpr std::array signals{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    std::array<struct sigaction, signals.size()> before_{};
};
/// Nothing is held back any more, as another program in this process expects it.
void release_signals();

} // namespace nmib::cli
