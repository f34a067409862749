// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/doctor/doctor.hpp"

#include "cli/base/process.hpp"
#include "cli/base/prompt.hpp"
#include "core/base/printable.hpp"

#include <algorithm>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
/// With the path of the program: nm-ib is this one, the others are the system's.
CommandLine located(CommandLine command)
{
    if (command[0] == "nm-ib") return command[0] = "/proc/self/exe", command;
    for (const std::string place : {"/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"})
        if (::access((place + command[0]).c_str(), X_OK) == 0) {
            command[0] = place + command[0];
            break;
        }
    return command;
}

} // namespace

Result<bool> mend(std::span<const Trouble> all, const Words &ids, bool yes)
{
    std::vector<CommandLine> commands;
    for (const auto &trouble : all) {
        if (!ids.empty() && std::find(ids.begin(), ids.end(), trouble.kind->id) == ids.end()) continue;
        if (mended_by(trouble) != Trouble::By::fix) continue;
        print(seen(trouble, translate) + " [" + std::string(trouble.kind->id) + "]\n");
        for (auto &command : nmib::commands(trouble)) {
            print("    " + text(command) + "\n");
            if (std::find(commands.begin(), commands.end(), command) == commands.end())
                commands.push_back(std::move(command));
        }
    }
    if (commands.empty()) {
        print(std::string(_("There is nothing that --fix mends.")) + "\n");
        return false;
    }
    if (!yes && !can_ask())
        return bad(_("Error: --fix asks before it runs anything, and this is no terminal; add --yes."));
    if (!yes && !agrees(_("Run them?"))) return false;
    for (const auto &command : commands)
        if (const auto run = run_program(located(command)); !run)
            complain(form(_("Error: %s: %s"), printable(command[0]).c_str(), printable(run.error().what).c_str()));
    return true;
}

} // namespace nmib::cli
