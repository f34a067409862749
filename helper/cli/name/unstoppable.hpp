// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include <array>
#include <csignal>

namespace nmib::cli
{

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

} // namespace nmib::cli
