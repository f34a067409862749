// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm/nmcli.hpp"

#include "terminal/words.hpp"

#include <cstring>
#include <sys/stat.h>
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

Words command_of(const char *nmcli, const Words &words)
{
    Words all{nmcli};
    all.insert(all.end(), words.begin(), words.end());
    return all;
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
    return {exit_failed, _("Error: nmcli, which runs this command, is not installed: no "
                           "/usr/bin/nmcli; install the package network-manager")};
}

Failure become_nmcli(const Words &words, const std::optional<std::string> &input)
{
    const auto *nmcli = find_nmcli();
    if (!nmcli) return no_nmcli();
    const int error = become(command_of(nmcli, words), input);
    return {exit_failed, form("Error: cannot start nmcli: {}", std::strerror(error))};
}

Result<ProgramRun, Failure> run_nmcli(const Words &words, const std::string &input)
{
    const auto *nmcli = find_nmcli();
    if (!nmcli) return no_nmcli();
    const auto fails = [](std::string why) { return Failure{exit_failed, std::move(why)}; };
    auto ended = run_for(command_of(nmcli, words), limit_seconds, input, /*in_english=*/false);
    if (!ended) return fails(form("Error: cannot start nmcli: {}", ended.error().what));
    if (ended->late)
        return fails(form("Error: nmcli gave no answer within {} seconds. Nothing was saved.", limit_seconds));
    if (ended->signal)
        return fails(
            form("Error: nmcli ended by signal {} ({}). Nothing was saved.", ended->signal, strsignal(ended->signal)));
    return std::move(*ended);
}

Failure to_nmcli() { return {left_to_nmcli, {}}; }

} // namespace nmib::cli
