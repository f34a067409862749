// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/pager.hpp"

#include "cli/base/gobject.hpp"
#include "cli/base/version.hpp"
#include "cli/signals.hpp"
#include "probe/unique_fd.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
/// What terminal-colors.d(5) says of nmcli on this terminal: the most specific file of the user, then of the system.
bool colors_enabled(const std::string &term)
{
    Words names{"nmcli.", ""};
    if (!term.empty() && term.find('/') == std::string::npos)
        names = {"nmcli@" + term + ".", "nmcli.", "@" + term + ".", ""};
    for (const std::string dir : {g_get_user_config_dir(), "/etc"})
        for (const auto &name : names)
            for (const auto *word : {"enable", "disable"})
                if (access((dir + "/terminal-colors.d/" + name + word).c_str(), F_OK) == 0) return *word == 'e';
    return true;
}

bool colored(const Options &options)
{
    if (options.colors != Options::Colors::automatic) return options.colors == Options::Colors::yes;
    const auto term = str(std::getenv("TERM"));
    const bool newer = has_version(44); // from 1.44 on an empty variable is none, and colors can be forced
    const auto *no = std::getenv("NO_COLOR");
    if (no && (*no || !newer)) return false;
    if (newer && !str(std::getenv("CLICOLOR_FORCE")).empty()) return true;
    return term != "dumb" && isatty(STDOUT_FILENO) && colors_enabled(term);
}

/// Becomes the pager, or stands in for one. Only what may be called behind fork().
[[noreturn]] void page(const char *pager, char *const *environment, pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != parent) _exit(exit_failed);
    const auto become = [&](const char *program, std::array<const char *, 4> words) {
        execvpe(program, const_cast<char *const *>(words.data()), environment);
    };
    if (pager) {
        become(pager, {pager});
        become("/bin/sh", {"sh", "-c", pager});
    }
    for (const auto *program : {"pager", "less", "more"}) become(program, {program});
    std::array<char, 4096> buffer{};
    for (;;) {
        const auto n = read(STDIN_FILENO, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0 || write(STDOUT_FILENO, buffer.data(), static_cast<std::size_t>(n)) < 0) _exit(n != 0);
    }
}
} // namespace

Pager::Pager(const Options &options)
{
    const char *pager = std::getenv("PAGER");
    if (options.print == Options::Print::terse || (pager && !*pager) || getauxval(AT_SECURE) || !colored(options))
        return;
    std::array<int, 2> ends{};
    if (pipe(ends.data()) < 0) {
        std::fputs(form(nm("Failed to create pager pipe: %s\n"), g_strerror(errno)).c_str(), stderr);
        return;
    }
    const UniqueFd out(ends[0]), in(ends[1]);
    Strv environment(g_get_environ());
    for (const auto &[name, value] : {std::pair("LESS", "FRSXMK"), std::pair("LESSCHARSET", "utf-8")})
        environment.reset(g_environ_setenv(environment.release(), name, value, TRUE));
    if (has_version(44)) environment.reset(g_environ_setenv(environment.release(), "LESSSECURE", "1", FALSE));
    std::fflush(stdout);
    const auto parent = getpid();
    process_ = fork();
    if (process_ == 0) {
        release_signals();
        dup2(out.get(), STDIN_FILENO);
        close(out.get());
        close(in.get());
        page(pager, environment.get(), parent);
    }
    if (process_ < 0) {
        std::fputs(form(nm("Failed to fork pager: %s\n"), g_strerror(errno)).c_str(), stderr);
        return;
    }
    std::signal(SIGINT, SIG_IGN); // it is for the pager
    dup2(in.get(), STDOUT_FILENO);
    dup2(in.get(), STDERR_FILENO);
}

Pager::~Pager()
{
    if (process_ < 0) return;
    std::fclose(stdout);
    std::fclose(stderr);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace nmib::cli
