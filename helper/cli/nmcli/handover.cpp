// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/nmcli/handover.hpp"

#include "cli/base/gobject.hpp"
#include "cli/signals.hpp"
#include "probe/unique_fd.hpp"

#include <NetworkManager.h>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr int left_to_nmcli = -1;

/// PATH is not asked: nm-ib may be found there under the name nmcli.
constexpr const char *places[] = {"/usr/bin/nmcli", "/bin/nmcli", "/usr/local/bin/nmcli"};

bool is_self(const char *path)
{
    struct stat self {
    }, other{};
    return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 && self.st_dev == other.st_dev &&
           self.st_ino == other.st_ino;
}

/// The installed nmcli, or null.
const char *find_nmcli()
{
    for (const auto *place : places)
        if (access(place, X_OK) == 0 && !is_self(place)) return place;
    return nullptr;
}

/// As exec wants them.
std::vector<char *> pointers(Words &words)
{
    std::vector<char *> all;
    all.reserve(words.size() + 1);
    for (auto &word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
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

Failure to_nmcli() { return {left_to_nmcli, {}}; }
bool is_to_nmcli(const Failure &failure) { return failure.code == left_to_nmcli; }

int hand_over(char *const *argv, const std::optional<std::string> &input, const Words &more)
{
    if (input && !put_back(*input)) {
        complain(form(_("Error: cannot pass standard input on to nmcli: %s"), std::strerror(errno)));
        return exit_failed;
    }
    if (const auto *nmcli = find_nmcli()) {
        Words copy{"nmcli"};
        for (char *const *a = argv + 1; *a; a++) copy.emplace_back(*a);
        copy.insert(copy.end(), more.begin(), more.end());
        release_signals();
        execv(nmcli, pointers(copy).data());
    }
    complain(_("Error: this is a task for nmcli, and it is not installed: no /usr/bin/nmcli. Install the package "
               "network-manager"));
    return exit_failed;
}

bool is_nmcli_installed() { return find_nmcli() != nullptr; }

bool nmcli_knows_type(const std::string &word)
{
    const auto *nmcli = find_nmcli();
    if (!nmcli) return true;
    Words words{nmcli, "--offline", "connection", "add", "type", word};
    const Strv environment(g_environ_setenv(g_get_environ(), "LC_ALL", "C", TRUE));
    char *says = nullptr;
    const bool done = g_spawn_sync(nullptr, pointers(words).data(), environment.get(), G_SPAWN_STDOUT_TO_DEV_NULL,
                                   nullptr, nullptr, nullptr, &says, nullptr, nullptr);
    const Text complaint(says);
    return !done || !str(says).starts_with("Error: bad connection type");
}

} // namespace nmib::cli
