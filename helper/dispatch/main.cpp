// SPDX-License-Identifier: LGPL-2.1-or-later
// nm-ib-dispatcher(8): started by dispatcher.d/10-nm-ib (entry.cpp), and for RDMA devices by nm-ib-rdma@.service.
#include "dispatch/event.hpp"
#include "dispatch/handle.hpp"
#include "dispatch/rdma/handle.hpp"

#include "config.h"
#include "probe/base/dir.hpp"
#include "probe/doctor/host.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <unistd.h>

namespace
{
/// sd-daemon(3): journald reads the level at the start of a line. A terminal does not need the level.
void say(nmib::Severity severity, std::string line)
{
    // Root has all other permissions that the helper needs.
    if (line.find(std::strerror(EACCES)) != line.npos && nmib::selinux_enforces())
        line += " (SELinux enforces its policy; to check the labels: nm-ib doctor)";
    const char *level = severity == nmib::Severity::error     ? "<3>"
                        : severity == nmib::Severity::warning ? "<4>"
                        : severity == nmib::Severity::note    ? "<6>"
                                                              : "<7>";
    std::fprintf(stderr, "%snm-ib: %s\n", ::isatty(STDERR_FILENO) ? "" : level, line.c_str());
}

int run(int argc, char **argv)
{
    if (argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "--version")) {
        std::puts(argv[1][2] == 'h' ? "usage: nm-ib-dispatcher INTERFACE ACTION\nCalled by NetworkManager's "
                                      "dispatcher; see nm-ib-dispatcher(8)."
                                    : "nm-ib-dispatcher " NMIB_VERSION);
        return EXIT_SUCCESS;
    }
    if (argc == 3 && std::string_view(argv[1]) == "--rdma-device") { // nm-ib-rdma@.service, started by udev
        nmib::set_deadline(30);
        for (const auto &[severity, line] : nmib::handle_rdma_device(nmib::split_path(argv[2]).second, {}))
            say(severity, line);
        return EXIT_SUCCESS;
    }
    const auto event = nmib::parse_event(argc, argv, [](const char *n) -> const char * { return std::getenv(n); });
    if (!event) {
        say(nmib::Severity::error, event.error().what);
        return 2;
    }
    if (!*event) return EXIT_SUCCESS;
    nmib::set_deadline((*event)->action == nmib::Event::Action::pre_up ? 5 : 30);
    if (const auto r = nmib::confine(); !r) say(nmib::Severity::warning, "confinement: " + r.error().what);
    if (nmib::wants_rdma(**event, {}))
        for (const auto &[severity, line] : nmib::handle_rdma(**event, {})) say(severity, line);
    for (const auto &[severity, line] : nmib::handle(**event, {})) say(severity, line);
    return EXIT_SUCCESS;
}
} // namespace

int main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception &e) {
        say(nmib::Severity::error, e.what());
        return EXIT_FAILURE;
    }
}
