// SPDX-License-Identifier: LGPL-2.1-or-later
#include "loader/plugin_symlink.hpp"

#include "config.h"
#include "core/base/text.hpp"
#include "probe/base/dir.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nmib
{

namespace
{
bool is_symlink_to(const std::string &object, const Dir &dir, const std::string &name)
{
    const auto target = dir.symlink_target(name);
    return target && *target == object;
}

Error not_made(const std::string &path)
{
    if (errno != EROFS) return sys_error(errno, path);
    return Error{Error::Kind::denied, path + ": not made: the file system is read-only; in the "
                                             "build of the image, once NetworkManager is installed, run: " NMIB_LOADER};
}

/// Removes this project's symlinks from all versions except `keep`.
Result<Done> clean(const PluginPaths &paths, const Dir &libdir, const std::string &keep)
{
    Done done;
    const auto name = split_path(paths.object).second;
    const auto versions = libdir.list();
    if (!versions) return versions.error();
    for (const auto &version : *versions) {
        if (version == keep) continue;
        const auto dir = libdir.sub(version);
        if (!dir || !is_symlink_to(paths.object, *dir, name)) continue;
        if (::unlinkat(dir->fd(), name.c_str(), 0) != 0) {
            if (errno == EROFS) continue; // the next build of the image removes it
            return sys_error(errno, dir->path() + "/" + name);
        }
        done.push_back("removed the symlink " + dir->path() + "/" + name);
        (void)::unlinkat(libdir.fd(), version.c_str(), AT_REMOVEDIR); // fails if the directory is not empty
    }
    return done;
}
} // namespace

Result<Done> remove_symlinks(const PluginPaths &paths)
{
    const auto libdir = Dir::open(paths.libdir);
    if (!libdir) return libdir.error().kind == Error::Kind::absent ? Result<Done>(Done{}) : libdir.error();
    return clean(paths, *libdir, "");
}

Result<Done> put_symlink(const PluginPaths &paths, const std::string &version)
{
    if (!is_version(version))
        return Error{Error::Kind::invalid, "'" + version + "' is not a version of NetworkManager"};
    if (::access(paths.object.c_str(), R_OK) != 0) {
        if (errno != ENOENT) return sys_error(errno, paths.object); // it may be there
        auto done = remove_symlinks(paths);
        return done ? sys_error(ENOENT, paths.object) : done.error();
    }
    const auto libdir = Dir::open(paths.libdir);
    if (!libdir) return libdir.error();
    auto done = clean(paths, *libdir, version);
    if (!done) return done;
    // A NetworkManager without plugins of its own has no such directory, but still searches it.
    if (::mkdirat(libdir->fd(), version.c_str(), 0755) != 0 && errno != EEXIST)
        return not_made(paths.libdir + "/" + version);
    const auto dir = libdir->sub(version);
    if (!dir) return dir.error();
    const auto name = split_path(paths.object).second;
    const auto path = dir->path() + "/" + name;
    if (is_symlink_to(paths.object, *dir, name)) return done;
    if (::symlinkat(paths.object.c_str(), dir->fd(), name.c_str()) != 0) {
        if (errno == EEXIST)
            return Error{Error::Kind::denied, path + ": exists, and is not a symlink to " + paths.object +
                                                  "; to load the plugin, remove this file"};
        return not_made(path);
    }
    done->push_back("made the symlink " + path);
    return done;
}

namespace
{
/// Milliseconds. A starting machine can be very busy; systemd gives the whole start three times as long.
constexpr int patience_ms = 30'000;

/// Reads until the pipe is closed, at most a few hundred bytes.
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

/// Waits for the process, and kills it after patience_ms.
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
    out = UniqueFd(); // a process that still writes gets SIGPIPE
    reap(pid);
    text = std::string(trim(text));
    if (!is_version(text))
        return Error{Error::Kind::invalid,
                     binary + " --version: no " + (text.empty() ? "answer" : "version in its answer")};
    return text;
}

} // namespace nmib
