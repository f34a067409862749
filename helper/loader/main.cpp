// SPDX-License-Identifier: LGPL-2.1-or-later
// nm-ib-loader: runs before NetworkManager starts (a drop-in of its unit), and by hand before an uninstall.
#include "core/base/text.hpp"
#include "loader/plugin_symlink.hpp"

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
        "usage: nm-ib-loader            symlink the device plugin into the installed NetworkManager's directory\n"
        "       nm-ib-loader --remove   remove all such symlinks\n",
        to);
    return to == stdout ? EXIT_SUCCESS : 2;
}

int run(int argc, char **argv)
{
    const std::string_view word = argc > 1 ? argv[1] : "";
    if (word == "--help") return usage(stdout);
    if (argc > 2 || (argc == 2 && word != "--remove")) return usage(stderr);
    const nmib::PluginPaths paths{NMIB_OBJECT, NMIB_NM_LIBDIR};
    const auto done = [&]() -> nmib::Result<nmib::Done> {
        if (word == "--remove") return nmib::remove_symlinks(paths);
        const auto version = nmib::ask_version(NMIB_NM_BINARY);
        return version.and_then([&](auto &v) { return nmib::put_symlink(paths, v); });
    }();
    if (!done) {
        std::fprintf(stderr, "nm-ib-loader: %s\n", nmib::printable(done.error().what).c_str());
        return EXIT_FAILURE;
    }
    for (const auto &line : *done) std::printf("nm-ib-loader: %s\n", nmib::printable(line).c_str());
    return EXIT_SUCCESS;
}
} // namespace

int main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "nm-ib-loader: %s\n", e.what());
        return EXIT_FAILURE;
    }
}
