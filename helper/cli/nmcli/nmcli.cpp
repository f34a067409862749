// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/nmcli/nmcli.hpp"

#include "cli/base/profile.hpp"

#include <cstdio>
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

Result<OfflineProfile, Failure> run_offline(const char *verb, const Words &words, const std::string &keyfile,
                                            bool any_type)
{
    Words all{"--offline", "connection", verb};
    all.insert(all.end(), words.begin(), words.end());
    auto run = run_nmcli(all, keyfile);
    if (!run) return run.error();
    OfflineProfile made;
    if (run->code != 0) {
        made.refusal = {run->code, std::string(trim(run->err))};
        return made;
    }
    const auto begin = run->out.starts_with('[') ? 0 : run->out.find("\n[") + 1; // after nmcli's messages
    auto connection = parse_keyfile(run->out.substr(begin));
    if (!connection || !(any_type || nm_connection_is_type(connection->get(), "infiniband")))
        return Failure{exit_failed, _("Error: nmcli printed no InfiniBand profile. Nothing was saved.")};
    made.connection = std::move(*connection);
    made.out = run->out.substr(0, begin);
    made.err = std::move(run->err);
    return made;
}

void pass_on(const OfflineProfile &made)
{
    // Not print(): the messages are already in the locale's encoding.
    std::fputs(made.out.c_str(), stdout);
    std::fputs(made.err.c_str(), stderr);
}

} // namespace nmib::cli
