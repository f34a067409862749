// SPDX-License-Identifier: LGPL-2.1-or-later
// dispatcher.d/10-nm-ib: NetworkManager's dispatcher starts this program for each event of each interface. The program
// ends at once if the event is irrelevant, and runs nm-ib-dispatcher otherwise. It is static and uses only the C
// library, so that it costs no more than a process. It is not a link: SELinux labels a link's target, and the label of
// nm-ib-dispatcher would keep the program in the dispatcher's domain, which reads neither sysfs nor profiles.
#include "config.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace
{
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
    const auto n = uuid && *uuid ? std::snprintf(path, sizeof(path), NMIB_WORDS "/%s", uuid) : -1;
    return n > 0 && static_cast<std::size_t>(n) < sizeof(path) && ::access(path, F_OK) == 0;
}

bool is_ours(const char *link, std::string_view action)
{
    const bool down = action == "down", pre_up = action == "pre-up";
    if (!down && !pre_up && action != "up" && action != "reapply") return false;
    const char *external = std::getenv("CONNECTION_EXTERNAL");
    if (external && std::string_view(external) == "1") return false;
    errno = 0;
    if (is_infiniband(link)) return true;
    if (errno == EACCES && action == "up")
        std::fprintf(stderr,
                     "<3>nm-ib: %s: the interface's type in sysfs cannot be read, skipping; to "
                     "check the SELinux label of " NMIB_DISPATCHER ": nm-ib doctor\n",
                     link);
    return !pre_up && (has_kept_words() || (!down && has_words(std::getenv("CONNECTION_UUID"))));
}
} // namespace

int main(int argc, char **argv)
{
    if (argc == 3 && !is_ours(argv[1], argv[2])) return EXIT_SUCCESS;
    ::execv(NMIB_HELPER, argv);
    std::fprintf(stderr, "<3>nm-ib: cannot start " NMIB_HELPER ": %s\n", std::strerror(errno));
    return EXIT_FAILURE;
}
