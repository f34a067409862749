// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fake_calls.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace nmib::test
{

namespace
{
FakeCalls *current = nullptr;
thread_local bool inside = false; // calls of a hook reach the kernel

std::string path_of(int fd)
{
    std::array<char, 4096> path{};
    const auto n = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path.data(), path.size());
    return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
}

std::string path_of(int dirfd, const char *path)
{
    return *path == '/' || dirfd == AT_FDCWD ? path : path_of(dirfd) + "/" + path;
}

template<class Function> Function *real(const char *name)
{
    return reinterpret_cast<Function *>(::dlsym(RTLD_NEXT, name));
}

/// Carries out the answer of the hook: `go` calls the kernel, `some` transfers one byte.
template<class Value, class What, class Go, class Some>
Value ask(const char *call, What what, Value success, Go go, Some some)
{
    if (!current || inside) return go();
    inside = true;
    const auto text = what();
    const int answer = current->before(call, text);
    inside = false;
    if (answer > 0) errno = answer;
    if (answer > 0) return static_cast<Value>(-1);
    if (answer == pretend) return success;
    const auto done = answer == one_byte ? some() : go();
    const int e = errno;
    inside = true;
    if (static_cast<long>(done) >= 0 && current->after) current->after(call, text);
    inside = false;
    errno = e;
    return done;
}

template<class Value, class What, class Go> Value ask(const char *call, What what, Value success, Go go)
{
    return ask(call, what, success, go, go);
}
} // namespace

FakeCalls::FakeCalls(Before asked, After told) :
    before(std::move(asked)), after(std::move(told)), outer_(std::exchange(current, this))
{
}

FakeCalls::~FakeCalls() { current = outer_; }

FakeCalls::Before fail(std::string_view call, int answer, std::string_view ending, unsigned nth)
{
    auto seen = std::make_shared<unsigned>(0);
    return [=](std::string_view now, const std::string &what) {
        return now == call && what.ends_with(ending) && (*seen)++ == nth ? answer : pass;
    };
}

} // namespace nmib::test

using nmib::test::ask;
using nmib::test::path_of;
using nmib::test::real;

extern "C" {

int openat(int dirfd, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return ask(
        "openat", [&] { return path_of(dirfd, path); }, -1,
        [&] { return real<int(int, const char *, int, ...)>("openat")(dirfd, path, flags, mode); });
}

ssize_t read(int fd, void *to, size_t size)
{
    const auto go = [&](size_t n) { return real<ssize_t(int, void *, size_t)>("read")(fd, to, n); };
    return ask(
        "read", [&] { return path_of(fd); }, ssize_t{0}, [&] { return go(size); },
        [&] { return go(std::min<size_t>(size, 1)); });
}

ssize_t write(int fd, const void *from, size_t size)
{
    const auto go = [&](size_t n) { return real<ssize_t(int, const void *, size_t)>("write")(fd, from, n); };
    return ask(
        "write", [&] { return path_of(fd); }, static_cast<ssize_t>(size), [&] { return go(size); },
        [&] { return go(std::min<size_t>(size, 1)); });
}

int fsync(int fd)
{
    return ask(
        "fsync", [&] { return path_of(fd); }, 0, [&] { return real<int(int)>("fsync")(fd); });
}

int fchmod(int fd, mode_t mode) noexcept
{
    return ask(
        "fchmod", [&] { return path_of(fd); }, 0, [&] { return real<int(int, mode_t)>("fchmod")(fd, mode); });
}

int chmod(const char *path, mode_t mode) noexcept
{
    return ask(
        "chmod", [&] { return path; }, 0, [&] { return real<int(const char *, mode_t)>("chmod")(path, mode); });
}

int flock(int fd, int operation) noexcept
{
    return ask((operation & LOCK_NB) ? "trylock" : "flock", [&] { return path_of(fd); }, 0,
               [&] { return real<int(int, int)>("flock")(fd, operation); });
}

int fstat(int fd, struct stat *to) noexcept
{
    return ask(
        "fstat", [&] { return path_of(fd); }, 0, [&] { return real<int(int, struct stat *)>("fstat")(fd, to); });
}

int fstatat(int dirfd, const char *path, struct stat *to, int flags) noexcept
{
    return ask(
        "fstatat", [&] { return path_of(dirfd, path); }, 0,
        [&] { return real<int(int, const char *, struct stat *, int)>("fstatat")(dirfd, path, to, flags); });
}

int mkdirat(int dirfd, const char *path, mode_t mode) noexcept
{
    return ask(
        "mkdirat", [&] { return path_of(dirfd, path); }, 0,
        [&] { return real<int(int, const char *, mode_t)>("mkdirat")(dirfd, path, mode); });
}

int unlinkat(int dirfd, const char *path, int flags) noexcept
{
    return ask((flags & AT_REMOVEDIR) ? "rmdirat" : "unlinkat", [&] { return path_of(dirfd, path); }, 0,
               [&] { return real<int(int, const char *, int)>("unlinkat")(dirfd, path, flags); });
}

int renameat(int from, const char *old, int to, const char *path) noexcept
{
    return ask(
        "renameat", [&] { return path_of(to, path); }, 0,
        [&] { return real<int(int, const char *, int, const char *)>("renameat")(from, old, to, path); });
}

int symlinkat(const char *target, int dirfd, const char *path) noexcept
{
    return ask(
        "symlinkat", [&] { return path_of(dirfd, path); }, 0,
        [&] { return real<int(const char *, int, const char *)>("symlinkat")(target, dirfd, path); });
}

int kill(pid_t pid, int number) noexcept
{
    return ask(
        "kill", [&] { return std::to_string(number); }, 0, [&] { return real<int(pid_t, int)>("kill")(pid, number); });
}

/// With `pretend`, the caller continues as the new process.
pid_t fork() noexcept
{
    return ask(
        "fork", [] { return std::string(); }, pid_t{0}, [] { return real<pid_t()>("fork")(); });
}

pid_t setsid() noexcept
{
    return ask(
        "setsid", [] { return std::string(); }, pid_t{1}, [] { return real<pid_t()>("setsid")(); });
}

unsigned sleep(unsigned seconds)
{
    return ask(
        "sleep", [&] { return std::to_string(seconds); }, 0U,
        [&] { return real<unsigned(unsigned)>("sleep")(seconds); });
}

unsigned alarm(unsigned seconds) noexcept
{
    return ask(
        "alarm", [&] { return std::to_string(seconds); }, 0U,
        [&] { return real<unsigned(unsigned)>("alarm")(seconds); });
}

int nanosleep(const timespec *time, timespec *left)
{
    return ask(
        "nanosleep", [&] { return std::to_string(time->tv_sec * 1'000'000'000 + time->tv_nsec); }, 0,
        [&] { return real<int(const timespec *, timespec *)>("nanosleep")(time, left); });
}

int poll(pollfd *fds, nfds_t count, int timeout)
{
    return ask(
        "poll", [&] { return std::to_string(timeout); }, 0,
        [&] { return real<int(pollfd *, nfds_t, int)>("poll")(fds, count, timeout); });
}

int pipe2(int *ends, int flags) noexcept
{
    return ask(
        "pipe2", [] { return std::string(); }, 0, [&] { return real<int(int *, int)>("pipe2")(ends, flags); });
}
}
