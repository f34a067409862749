// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/report.hpp"

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

Json json_of(const PortIdentity &port)
{
    Json j = {{"port", port.label()}, {"hca", port.hca}, {"number", port.number}, {"bus", port.bus}};
    j["guid"] = port.guid.str();
    j["interface"] = port.interface ? Json(port.interface->name.str()) : Json();
    return j;
}

Json json_of(const NameState &state)
{
    return {{"name", state.name.str()}, {"file", state.own->path}, {"state", id(state.code)}, {"text", text(state)}};
}

std::string tell_initramfs(const NameRequest &request)
{
    const auto command = initramfs_command();
    const auto of_image = initramfs_of_image();
    if (command.empty() && of_image.empty()) return "none";
    const auto typed = of_image.empty() ? join(command, " ") : of_image;
    if (!request.initramfs || !of_image.empty()) {
        note(form(
            _("the initramfs still has the old names, which count if it loads ib_ipoib. To bring it up to date: %s"),
            typed.c_str()));
        return "left";
    }
    if (::isatty(STDERR_FILENO)) note(form(_("making the initramfs anew: %s"), typed.c_str()));
    if (const auto done = update_initramfs(command); !done) {
        note(form(_("warning: %s"), done.error().what.c_str()));
        return "failed";
    }
    return "updated";
}

} // namespace nmib::cli
