// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/process.hpp"

#include "cli/base/gobject.hpp"
#include "core/printable.hpp"

namespace nmib::cli
{

Result<void> run_program(const Words &command)
{
    std::vector<const char *> words;
    for (const auto &w : command) words.push_back(w.c_str());
    words.push_back(nullptr);
    GErrorSlot error;
    const Object<GSubprocessLauncher> launcher(g_subprocess_launcher_new(
        static_cast<GSubprocessFlags>(G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE)));
    g_subprocess_launcher_setenv(launcher.get(), "PATH", "/usr/sbin:/usr/bin:/sbin:/bin", TRUE);
    const Object<GSubprocess> process(g_subprocess_launcher_spawnv(launcher.get(), words.data(), error));
    char *said = nullptr;
    if (process) g_subprocess_communicate_utf8(process.get(), nullptr, nullptr, nullptr, &said, error);
    const Text owned(said);
    if (process && !error.get() && g_subprocess_get_successful(process.get())) return {};
    const auto all = strip(error.get() ? error.message() : str(said));
    return Error{Error::Kind::io, printable(all.substr(all.rfind('\n') + 1))};
}

} // namespace nmib::cli
