// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/initramfs.hpp"

#include "cli/base/process.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

namespace nmib::cli
{

std::string initramfs_of_image()
{
    for (const auto *sign : {"/run/ostree-booted", "/run/.containerenv", "/sysroot/ostree"})
        if (::access(sign, F_OK) == 0)
            return form(_("in the build of the image, %s; on a host with packages of its own, %s"),
                        "dracut -f /usr/lib/modules/KERNEL/initramfs.img KERNEL", "rpm-ostree initramfs --enable");
    struct statvfs root {
    };
    const bool read_only = ::statvfs("/", &root) == 0 && (root.f_flag & ST_RDONLY) != 0;
    return read_only && ::access("/usr/sbin/transactional-update", X_OK) == 0 ? "transactional-update initrd" : "";
}

Words initramfs_command()
{
    Words boot_entries = {"/usr/bin/sdbootutil", "--no-reuse-initrd", "--default-snapshot", "add-all-kernels"};
    if (run_program({boot_entries.front(), "is-installed"})) return boot_entries; // SUSE with systemd-boot
    // Debian's, of initramfs-tools or of dracut; then dracut elsewhere. Each kernel's: --force alone makes the running
    // one's.
    for (const Words &command : {Words{"/usr/sbin/update-initramfs", "-u", "-k", "all"},
                                 Words{"/usr/bin/dracut", "--force", "--regenerate-all"},
                                 Words{"/usr/sbin/dracut", "--force", "--regenerate-all"}})
        if (::access(command.front().c_str(), X_OK) == 0) return command;
    return {};
}

Result<void> update_initramfs(const Words &command)
{
    const auto typed = join(command, " ");
    const auto done = run_program(command);
    if (done) return {};
    return Error{
        Error::Kind::io,
        form(_("the initramfs still has the old names, since it could not be made anew (%s). To try again: %s"),
             done.error().what.c_str(), typed.c_str())};
}

} // namespace nmib::cli
