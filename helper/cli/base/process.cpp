// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/process.hpp"

#include "cli/base/gobject.hpp"
#include "core/printable.hpp"
#include "probe/unique_fd.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr std::size_t most = 4 << 20; ///< bytes of output that anybody looks at

/// As exec wants them.
std::vector<char *> pointers(Words &words)
{
    std::vector<char *> all;
    for (auto &word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

Words english_environment()
{
    Words all{"LC_ALL=C"};
    for (char **entry = environ; entry && *entry; entry++)
        if (const std::string_view e(*entry); !e.starts_with("LC_") && !e.starts_with("LANG")) all.emplace_back(e);
    return all;
}

std::string text_in(const UniqueFd &fd)
{
    std::string text;
    std::array<char, 4096> buffer;
    while (text.size() < most) {
        const auto n = pread(fd.get(), buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
        if (n <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
    return text;
}

/// Waits for the end, or makes it.
void finish(pid_t pid, int seconds, ProgramRun &run)
{
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0U)));
    pollfd ended{process.get(), POLLIN, 0};
    run.late = process && poll(&ended, 1, seconds * 1000) == 0;
    if (run.late) kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!run.late && WIFEXITED(status)) run.code = WEXITSTATUS(status);
}
} // namespace

std::string find_program(const std::string &name)
{
    const Text path(g_find_program_in_path(name.c_str()));
    return str(path.get());
}

Result<ProgramRun> run_for(const Words &command, int seconds)
{
    // Files and no pipes: nobody has to read while it writes.
    const std::array files{UniqueFd(memfd_create("out", MFD_CLOEXEC)), UniqueFd(memfd_create("err", MFD_CLOEXEC))};
    if (!files[0] || !files[1]) return sys_error(errno, command.front());
    auto words = command, environment = english_environment();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, files[0].get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, files[1].get(), STDERR_FILENO);
    pid_t pid = 0;
    const int failed = posix_spawn(&pid, words.front().c_str(), &actions, nullptr, pointers(words).data(),
                                   pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return sys_error(failed, command.front());
    ProgramRun run;
    finish(pid, seconds, run);
    run.out = text_in(files[0]);
    run.err = text_in(files[1]);
    return run;
}

Result<void> run_program(const Words &command)
{
    std::vector<const char *> words;
    for (const auto &w : command) words.push_back(w.c_str());
    words.push_back(nullptr);
    GErrorSlot error;
    const Object<GSubprocessLauncher> launcher(g_subprocess_launcher_new(
        static_cast<GSubprocessFlags>(G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE)));
    g_subprocess_launcher_setenv(launcher.get(), "PATH", "/usr/sbin:/usr/bin:/sbin:/bin", TRUE);
    const Object<GSubprocess> process(g_subprocess_launcher_spawnv(launcher.get(), words.data(), error));
    char *said = nullptr;
    if (process) g_subprocess_communicate_utf8(process.get(), nullptr, nullptr, nullptr, &said, error);
    const Text owned(said);
    if (process && !error.get() && g_subprocess_get_successful(process.get())) return {};
    const auto all = strip(error.get() ? error.message() : str(said));
    return Error{Error::Kind::io, printable(all.substr(all.rfind('\n') + 1))};
}

} // namespace nmib::cli
