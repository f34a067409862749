// SPDX-License-Identifier: LGPL-2.1-or-later
#include "loader/version.hpp"

#include "core/base/number.hpp"
#include "probe/base/unique_fd.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

namespace nmib
{

namespace
{
/// A machine that is starting can be very busy; systemd gives the whole start three times as long.
constexpr int patience_ms = 30'000;

/// What comes through the pipe until it is closed, a few hundred bytes at most.
std::string read_some(int fd)
{
    std::string text;
    pollfd p{fd, POLLIN, 0};
    char buffer[256];
    while (text.size() < sizeof(buffer) && ::poll(&p, 1, patience_ms) > 0) {
        const auto n = ::read(fd, buffer, sizeof(buffer));
        if (n <= 0) break;
        text.append(buffer, static_cast<std::size_t>(n));
    }
    return text;
}

/// Waits a while, then ends it.
void reap(pid_t pid)
{
    for (int i = 0; i < patience_ms / 10; i++) {
        if (::waitpid(pid, nullptr, WNOHANG) != 0) return;
        const timespec pause{0, 10'000'000};
        ::nanosleep(&pause, nullptr);
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
}
} // namespace

bool is_version(const std::string &text) noexcept
{
    const auto good = [](char c) { return c > ' ' && c <= '~' && c != '/'; };
    return !text.empty() && text.size() <= 64 && text[0] >= '0' && text[0] <= '9' &&
           std::all_of(text.begin(), text.end(), good);
}

Result<std::string> ask_version(const std::string &binary)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return sys_error(errno, "pipe");
    UniqueFd out(ends[0]);
    UniqueFd in(ends[1]);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in.get(), STDOUT_FILENO);
    std::string program = binary, option = "--version";
    char *argv[] = {program.data(), option.data(), nullptr};
    char *environment[] = {nullptr};
    pid_t pid = 0;
    const int failed = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, argv, environment);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return sys_error(failed, binary);
    in = UniqueFd();
    auto text = read_some(out.get());
    out = UniqueFd(); // one that still writes gets SIGPIPE
    reap(pid);
    text = std::string(trim(text));
    if (!is_version(text))
        return Error{Error::Kind::invalid,
                     binary + " --version: no " + (text.empty() ? "answer" : "version in its answer")};
    return text;
}

} // namespace nmib
