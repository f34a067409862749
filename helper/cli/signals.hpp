// SPDX-License-Identifier: LGPL-2.1-or-later
/// SIGINT and SIGTERM end a command as they end nmcli: where it waits, with its words and its status
/// (src/nmcli/nmcli.c).
#pragma once

#include <chrono>

namespace nmib::cli
{

enum class Woken { input, timeout, interrupt, termination };

constexpr std::chrono::milliseconds endless{-1};

/// Waits until there is something to read, or the end of it. From the first wait on, signals come in waits only.
Woken wait_for_input(int fd, std::chrono::milliseconds timeout = endless);
/// What an interrupt or a termination means to a command.
[[noreturn]] void end_by(Woken signal);
/// Nothing is held back any more, as another program in this process expects it.
void release_signals();

} // namespace nmib::cli
