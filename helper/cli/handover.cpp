// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/handover.hpp"

#include "cli/words.hpp"
#include "probe/unique_fd.hpp"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
/// PATH is not asked: nm-ib may be found there under the name nmcli.
constexpr const char *places[] = {"/usr/bin/nmcli", "/bin/nmcli", "/usr/local/bin/nmcli"};

bool is_self(const char *path)
{
    struct stat self {
    }, other{};
    return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 && self.st_dev == other.st_dev &&
           self.st_ino == other.st_ino;
}

bool put_back(const std::string &input)
{
    UniqueFd fd(memfd_create("standard input", MFD_CLOEXEC));
    if (!fd) return false;
    for (std::size_t done = 0; done < input.size();) {
        const auto n = write(fd.get(), input.data() + done, input.size() - done);
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return lseek(fd.get(), 0, SEEK_SET) == 0 && dup2(fd.get(), STDIN_FILENO) == STDIN_FILENO;
}
} // namespace

int hand_over(char *const *argv, const std::optional<std::string> &input)
{
    if (input && !put_back(*input)) {
        complain(form(_("Error: cannot pass standard input on to nmcli: %s"), std::strerror(errno)));
        return exit_failed;
    }
    for (const auto *place : places) {
        if (is_self(place)) continue;
        Words copy{"nmcli"};
        std::vector<char *> words{copy[0].data()};
        for (char *const *a = argv + 1; *a; a++) words.push_back(*a);
        words.push_back(nullptr);
        execv(place, words.data());
    }
    complain(_("Error: this is a task for nmcli, and it is not installed: no /usr/bin/nmcli. Install the package "
               "network-manager"));
    return exit_failed;
}

} // namespace nmib::cli
