// SPDX-License-Identifier: LGPL-2.1-or-later
// nm-ib-link: run before NetworkManager starts (a drop-in of its unit), and by hand before an uninstall.
#include "core/printable.hpp"
#include "link/relink.hpp"

#include "config.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace
{
int usage(std::FILE *to)
{
    std::fputs(
        "usage: nm-ib-link            link the device plugin into the installed NetworkManager's plugin directory\n"
        "       nm-ib-link --remove   remove all such links\n",
        to);
    return to == stdout ? EXIT_SUCCESS : 2;
}

int run(int argc, char **argv)
{
    const std::string_view word = argc > 1 ? argv[1] : "";
    if (word == "--help") return usage(stdout);
    if (argc > 2 || (argc == 2 && word != "--remove")) return usage(stderr);
    const nmib::LinkPaths paths{NMIB_OBJECT, NMIB_NM_LIBDIR};
    const auto done = [&]() -> nmib::Result<nmib::Done> {
        if (word == "--remove") return nmib::unlink_all(paths);
        const auto version = nmib::ask_version(NMIB_NM_BINARY);
        return version ? nmib::relink(paths, *version) : nmib::Result<nmib::Done>(version.error());
    }();
    if (!done) {
        std::fprintf(stderr, "nm-ib-link: %s\n", nmib::printable(done.error().what).c_str());
        return EXIT_FAILURE;
    }
    for (const auto &line : *done) std::printf("nm-ib-link: %s\n", nmib::printable(line).c_str());
    return EXIT_SUCCESS;
}
} // namespace

int main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "nm-ib-link: %s\n", e.what());
        return EXIT_FAILURE;
    }
}
