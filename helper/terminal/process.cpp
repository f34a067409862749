// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/process.hpp"

#include "core/base/text.hpp"
#include "probe/base/dir.hpp"
#include "terminal/glib.hpp"

#include <array>
#include <cerrno>
#include <csignal>
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
constexpr std::size_t most_output = 16 << 20; ///< bytes of output

std::vector<char *> pointers(Words &words)
{
    std::vector<char *> all;
    for (auto &word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

Words environment(bool in_english)
{
    Words all;
    if (in_english) all = {"LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"};
    for (char **entry = environ; entry && *entry; entry++)
        if (const std::string_view e(*entry);
            !in_english || !(e.starts_with("LC_") || e.starts_with("LANG") || e.starts_with("PATH=")))
            all.emplace_back(e);
    return all;
}

/// Returns an unnamed file with this text, at offset 0. Files, not pipes: writer and reader need not run at once.
UniqueFd file_with(const std::string &text)
{
    UniqueFd fd(memfd_create("nm-ib", MFD_CLOEXEC));
    for (std::size_t done = 0; fd && done < text.size();) {
        const auto n = write(fd.get(), text.data() + done, text.size() - done);
        if (n <= 0) return {};
        done += static_cast<std::size_t>(n);
    }
    if (fd && lseek(fd.get(), 0, SEEK_SET) != 0) return {};
    return fd;
}

std::string text_in(const UniqueFd &fd)
{
    std::string text;
    std::array<char, 4096> buffer;
    while (text.size() < most_output) {
        const auto n = pread(fd.get(), buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
        if (n <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
    return text;
}

void finish(pid_t pid, int seconds, ProgramRun &run)
{
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0U)));
    pollfd ended{process.get(), POLLIN, 0};
    run.late = process && seconds > 0 && poll(&ended, 1, seconds * 1000) == 0;
    if (run.late) kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
    if (!run.late && WIFEXITED(status)) run.code = WEXITSTATUS(status);
}
} // namespace

std::string find_program(const std::string &name)
{
    const Text path(g_find_program_in_path(name.c_str()));
    return str(path.get());
}

std::string find_system_program(const std::string &name)
{
    for (const auto *place : {"/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"})
        if (access((place + name).c_str(), X_OK) == 0) return place + name;
    return {};
}

int become(const Words &command, const std::optional<std::string> &input)
{
    if (input) {
        const auto file = file_with(*input);
        if (!file || dup2(file.get(), STDIN_FILENO) != STDIN_FILENO) return errno;
    }
    auto words = command;
    execv(command.front().c_str(), pointers(words).data());
    return errno;
}

Result<ProgramRun> run_for(const Words &command, int seconds, const std::string &input, bool in_english)
{
    const std::array files{file_with(input), file_with({}), file_with({})};
    for (const auto &file : files)
        if (!file) return sys_error(errno, command.front());
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_adddup2(&actions, files[static_cast<std::size_t>(fd)].get(), fd);
    auto words = command, variables = environment(in_english);
    pid_t pid = 0;
    const int failed =
        posix_spawn(&pid, words.front().c_str(), &actions, nullptr, pointers(words).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return sys_error(failed, command.front());
    ProgramRun run;
    finish(pid, seconds, run);
    run.out = text_in(files[1]);
    run.err = text_in(files[2]);
    return run;
}

Result<void> run_program(const Words &command)
{
    const auto ended = run_for(command, /*seconds=*/0);
    if (ended && ended->code == 0) return {};
    const auto text = std::string(ended ? trim(ended->err) : ended.error().what);
    if (!text.empty()) return Error{Error::Kind::io, printable(text.substr(text.rfind('\n') + 1))};
    return Error{Error::Kind::io,
                 ended->signal ? form("ended by signal {}", ended->signal) : form("exit code {}", ended->code)};
}

} // namespace nmib::cli
