// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/signals.hpp"

#include "cli/base/words.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <poll.h>

namespace nmib::cli
{

namespace
{
volatile std::sig_atomic_t caught = 0;
std::optional<sigset_t> before; // what was blocked, once ours are

const sigset_t &hold_signals()
{
    if (before) return *before;
    sigset_t ours;
    sigemptyset(&ours);
    struct sigaction action {
    };
    action.sa_handler = [](int signal) { caught = signal; };
    for (const int signal : {SIGINT, SIGTERM}) {
        sigaddset(&ours, signal);
        sigaction(signal, &action, nullptr);
    }
    sigprocmask(SIG_BLOCK, &ours, &before.emplace());
    return *before;
}
} // namespace

Woken wait_for_input(int fd, std::chrono::milliseconds timeout)
{
    const auto &mask = hold_signals();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    const timespec time{seconds.count(), std::chrono::nanoseconds(timeout - seconds).count()};
    for (;;) {
        caught = 0;
        pollfd p{fd, POLLIN, 0};
        const int ready = ppoll(&p, 1, timeout == endless ? nullptr : &time, &mask);
        if (ready == 0) return Woken::timeout;
        if (caught == SIGINT) return Woken::interrupt;
        if (caught == SIGTERM) return Woken::termination;
        if (ready > 0 || errno != EINTR) return Woken::input; // whoever reads finds out what is wrong
    }
}

void end_by(Woken signal)
{
    if (signal != Woken::interrupt) std::exit(exit_failed);
    complain(form(nm("Error: nmcli terminated by signal %s (%d)"), strsignal(SIGINT), SIGINT));
    std::exit(0x80 + SIGINT);
}

Unstoppable::Unstoppable()
{
    hold_signals(); // which would set two of them later
    struct sigaction ignore {
    };
    ignore.sa_handler = SIG_IGN;
    for (std::size_t i = 0; i < signals.size(); i++) sigaction(signals[i], &ignore, &before_[i]);
}

Unstoppable::~Unstoppable()
{
    for (std::size_t i = 0; i < signals.size(); i++) sigaction(signals[i], &before_[i], nullptr);
}

void release_signals()
{
    if (before) sigprocmask(SIG_SETMASK, &*before, nullptr);
    before.reset();
}

} // namespace nmib::cli
