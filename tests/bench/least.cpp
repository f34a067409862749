// SPDX-License-Identifier: LGPL-2.1-or-later
// The least that a command of nm-ib's kind can do: bench-least PATH add NAME|modify|show. libnm is loaded, the daemon
// asked for the one profile of that object path, and told what is new. No name is looked up, no word understood,
// nothing printed.
#include "cli/daemon/daemon.hpp"
#include "cli/draft.hpp"

#include <cstdio>
#include <string_view>
#include <unistd.h>

extern "C" [[gnu::visibility("default")]] int _gnutls_global_init_skip() { return 1; } // as nm-ib

namespace
{
using namespace nmib::cli;

bool run(int argc, char **argv)
{
    const auto connected = Daemon::connect();
    const auto *daemon = std::get_if<Daemon>(&connected);
    if (!daemon) return false;
    const std::string_view verb = argv[2];
    if (verb == "add" && argc == 4) {
        auto draft = new_draft();
        auto *c = draft.connection.get();
        g_object_set(draft.base(), "id", argv[3], "type", "infiniband", "interface-name", "ib9", "autoconnect", FALSE,
                     nullptr);
        for (const auto *name : {"infiniband", "ipv4", "ipv6"})
            nm_connection_add_setting(c, new_setting(*find_group(name)));
        nm_connection_normalize(c, nullptr, nullptr, nullptr);
        return bool(daemon->added(daemon->ask_to_add(c, true)));
    }
    const auto profile = daemon->profile(argv[1]);
    if (!profile || verb == "show") return bool(profile);
    return verb == "modify" && daemon->update(argv[1], profile->get(), true);
}
} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) std::fputs("usage: bench-least PATH add NAME|modify|show\n", stderr);
    _exit(argc >= 3 && run(argc, argv) ? 0 : 1);
}
