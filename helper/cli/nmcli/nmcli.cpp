// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/nmcli/nmcli.hpp"

#include "probe/unique_fd.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr int limit_seconds = 10;

bool is_self(const char *path)
{
    struct stat self {
    }, other{};
    return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 && self.st_dev == other.st_dev &&
           self.st_ino == other.st_ino;
}

/// As exec wants them.
std::vector<char *> pointers(Words &words)
{
    std::vector<char *> all;
    for (auto &word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

/// A file without a name that holds this text, at its beginning.
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
    for (off_t at = 0;;) {
        const auto n = pread(fd.get(), buffer.data(), buffer.size(), at);
        if (n <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(n));
        at += n;
    }
}

Failure cannot_run(int error) { return {exit_failed, form(_("Error: cannot run nmcli: %s"), std::strerror(error))}; }

/// Why a run came to no exit code.
std::optional<Error> hindrance(pid_t pid, int &code)
{
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0U)));
    pollfd ended{process.get(), POLLIN, 0};
    const bool late = process && poll(&ended, 1, limit_seconds * 1000) == 0;
    if (late) kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (late)
        return Error{Error::Kind::io,
                     form(_("Error: nmcli gave no answer within %d seconds. Nothing was saved."), limit_seconds)};
    if (!WIFEXITED(status))
        return Error{Error::Kind::io, form(_("Error: nmcli ended by signal %d (%s). Nothing was saved."),
                                           WTERMSIG(status), strsignal(WTERMSIG(status)))};
    code = WEXITSTATUS(status);
    return std::nullopt;
}
} // namespace

const char *find_nmcli()
{
    for (const auto *place : {"/usr/bin/nmcli", "/bin/nmcli", "/usr/local/bin/nmcli"})
        if (access(place, X_OK) == 0 && !is_self(place)) return place;
    return nullptr;
}

Failure no_nmcli()
{
    return {exit_failed, _("Error: this is a task for nmcli, and it is not installed: no /usr/bin/nmcli. Install the "
                           "package network-manager")};
}

Failure become_nmcli(const Words &words, const std::optional<std::string> &input)
{
    const auto *nmcli = find_nmcli();
    if (!nmcli) return no_nmcli();
    if (input) {
        const auto file = file_with(*input);
        if (!file || dup2(file.get(), STDIN_FILENO) != STDIN_FILENO) return cannot_run(errno);
    }
    Words all{"nmcli"};
    all.insert(all.end(), words.begin(), words.end());
    execv(nmcli, pointers(all).data());
    return cannot_run(errno);
}

Result<NmcliRun> run_nmcli(const Words &words, const std::string &input)
{
    const auto *nmcli = find_nmcli();
    if (!nmcli) return Error{Error::Kind::absent, no_nmcli().text};
    // Files and no pipes: nobody has to read while nmcli writes.
    const std::array files{file_with(input), file_with({}), file_with({})};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_adddup2(&actions, files[static_cast<std::size_t>(fd)].get(), fd);
    Words all{"nmcli"};
    all.insert(all.end(), words.begin(), words.end());
    pid_t pid = 0;
    const int failed = posix_spawn(&pid, nmcli, &actions, nullptr, pointers(all).data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return Error{Error::Kind::io, cannot_run(failed).text};
    NmcliRun run;
    if (auto why = hindrance(pid, run.code)) return std::move(*why);
    run.out = text_in(files[1]);
    run.err = text_in(files[2]);
    return run;
}

} // namespace nmib::cli
