// SPDX-License-Identifier: LGPL-2.1-or-later
// dispatcher.d/10-nm-ib: NetworkManager's dispatcher starts this program for each event of each interface. The program
// ends at once if the event is irrelevant, and otherwise runs nm-ib-dispatcher, and waits for it. It is static and uses
// only the C library, so that it costs no more than a process. It is not a link: SELinux labels a link's target, and
// the label of nm-ib-dispatcher would keep the program in the dispatcher's domain, which reads neither sysfs nor
// profiles.
#include "config.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
/// Milliseconds for a process that looks for a file, and for the helper.
constexpr int patience = 1000, patience_for_helper = 5000;

/// The PID of the process that is not waited for. Next events do not wait either while it runs: the files still do not
/// answer, and a wait for each child of a port would hold up the scripts of all interfaces for hours.
constexpr const char *left_alone = NMIB_STATE "/left-alone";

void leave_alone(pid_t process)
{
    ::mkdir(NMIB_STATE, 0755);
    const int fd = ::open(left_alone, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return;
    ::dprintf(fd, "%d\n", static_cast<int>(process));
    ::close(fd);
}

bool is_one_left_alone()
{
    char text[16] = {};
    const int fd = ::open(left_alone, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const auto n = fd < 0 ? -1 : ::read(fd, text, sizeof(text) - 1);
    if (fd >= 0) ::close(fd);
    const int process = n > 0 ? std::atoi(text) : 0;
    return process > 0 && ::kill(process, 0) == 0;
}

/// Returns true if the interface's `type` is ARPHRD_INFINIBAND. errno is EACCES if the file may not be read.
bool is_infiniband(const char *link)
{
    char path[300], text[8];
    const auto length = std::snprintf(path, sizeof(path), "/sys/class/net/%s/type", link);
    if (length < 0 || static_cast<std::size_t>(length) >= sizeof(path)) return false;
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    const auto n = fd < 0 ? -1 : ::read(fd, text, sizeof(text));
    if (fd >= 0) ::close(fd);
    return n > 0 && std::string_view(text, static_cast<std::size_t>(n)) == "32\n";
}

/// Returns true if rdma.* words of any interface are in force.
bool has_kept_words()
{
    DIR *dir = ::opendir(NMIB_STATE);
    if (!dir) return false;
    bool found = false;
    while (const dirent *e = ::readdir(dir)) found |= std::string_view(e->d_name).starts_with("rdma-");
    ::closedir(dir);
    return found;
}

bool has_words(const char *uuid)
{
    char path[300];
    const auto n = std::snprintf(path, sizeof(path), NMIB_WORDS "/%s", uuid);
    return n > 0 && static_cast<std::size_t>(n) < sizeof(path) && ::access(path, F_OK) == 0;
}

enum class Event { ignored, handled, if_words }; ///< if_words: handled if the profile has rdma.* words

Event classify(const char *link, std::string_view action)
{
    const bool down = action == "down", pre_up = action == "pre-up";
    if (!down && !pre_up && action != "up" && action != "reapply") return Event::ignored;
    const char *external = std::getenv("CONNECTION_EXTERNAL");
    if (external && std::string_view(external) == "1") return Event::ignored;
    errno = 0;
    if (is_infiniband(link)) return Event::handled;
    if (errno == EACCES && action == "up")
        std::fprintf(stderr,
                     "<3>nm-ib: %s: the interface's type in sysfs cannot be read, skipping; to "
                     "check the SELinux label of " NMIB_DISPATCHER ": nm-ib doctor\n",
                     link);
    if (pre_up) return Event::ignored;
    if (has_kept_words()) return Event::handled;
    const char *uuid = std::getenv("CONNECTION_UUID");
    return down || !uuid || !*uuid ? Event::ignored : Event::if_words;
}

/// Waits for the process. Returns its exit status, or nothing if it goes on after this time. SIGCHLD is blocked.
std::optional<int> wait_for(pid_t process, int milliseconds)
{
    const auto now = [] {
        timespec t{};
        ::clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * 1000 + t.tv_nsec / 1000000;
    };
    sigset_t child;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);
    for (const auto end = now() + milliseconds;;) {
        int status = 0;
        if (::waitpid(process, &status, WNOHANG) == process)
            return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
        const auto left = end - now();
        if (left <= 0) return std::nullopt;
        const timespec limit{left / 1000, left % 1000 * 1000000};
        ::sigtimedwait(&child, nullptr, &limit);
    }
}

/// Returns true if the process runs the helper.
bool is_helper(pid_t process)
{
    char path[64], program[300];
    std::snprintf(path, sizeof(path), "/proc/%d/exe", static_cast<int>(process));
    const auto n = ::readlink(path, program, sizeof(program));
    return n > 0 && std::string_view(program, static_cast<std::size_t>(n)).ends_with("/nm-ib-dispatcher");
}

int run_helper(char **argv)
{
    ::execv(NMIB_HELPER, argv);
    std::fprintf(stderr, "<3>nm-ib: cannot start " NMIB_HELPER ": %s\n", std::strerror(errno));
    return EXIT_FAILURE;
}
} // namespace

/// The files below /etc may not answer, and the dispatcher runs one script after another, for all interfaces: another
/// process reads them, and is left alone if it takes too long.
int main(int argc, char **argv)
{
    const auto event = argc == 3 ? classify(argv[1], argv[2]) : Event::handled;
    if (event == Event::ignored) return EXIT_SUCCESS;
    sigset_t child, before;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child, &before);
    const auto process = ::fork();
    if (process <= 0) {
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
        if (event == Event::if_words && !has_words(std::getenv("CONNECTION_UUID"))) return EXIT_SUCCESS;
        return run_helper(argv);
    }
    if (is_one_left_alone()) return EXIT_SUCCESS;
    auto status = wait_for(process, patience);
    if (!status && is_helper(process)) status = wait_for(process, patience_for_helper - patience);
    if (status) return *status;
    leave_alone(process);
    std::fprintf(stderr, "<4>nm-ib: %s: this script is not waited for any longer\n", argc == 3 ? argv[1] : "?");
    return EXIT_SUCCESS;
}
