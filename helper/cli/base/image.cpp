// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/image.hpp"

#include "cli/base/words.hpp"

#include <cerrno>
#include <clocale>
#include <fcntl.h>
#include <langinfo.h>
#include <sched.h>
#include <string_view>
#include <sys/file.h>
#include <sys/mount.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
bool entered = false;

/// Loads what the C library would load later, from the image: translations and character sets.
void load_messages()
{
    if (std::string_view(::nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_ALL, "C");
    (void)_("yes");
    (void)nm("yes");
}

bool hides(const char *directory)
{
    return ::mount("nm-ib", directory, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=755") == 0 ||
           errno == ENOENT;
}
} // namespace

Result<void> enter_image(const std::string &directory)
{
    load_messages();
    const auto wrong = [&](const std::string &what) {
        return sys_error(errno, "--root " + printable(directory) + what);
    };
    if (::chdir(directory.c_str()) != 0) return wrong("");
    // Until the process ends; only root writes.
    const int tree = ::geteuid() == 0 ? ::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (tree >= 0 && ::flock(tree, LOCK_EX) != 0) return wrong(": flock");
    if (::unshare(CLONE_NEWNS | (::geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0) return wrong(": unshare");
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return wrong(": mount");
    if (::chroot(".") != 0) return wrong(": chroot");
    for (const auto *place : {"/dev", "/proc", "/run", "/sys"})
        if (!hides(place)) return wrong(place);
    entered = true;
    return {};
}

bool in_image() noexcept { return entered; }

std::string with_root(const std::string &text)
{
    return entered && text.find("nm-ib ") != text.npos ? text + _(" (with --root)") : text;
}

} // namespace nmib::cli
